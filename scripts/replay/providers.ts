import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deniesDomainOwner, isOfTenant, refuseSharedIssuer } from '#server/sso/entra.ts';
import { fakeProvider } from '#server/testing/oidc-provider.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { base64, responseXml, signXml } from '#server/testing/saml-provider.ts';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { connect, signInBySso, ssoOrganization } from './single-sign-on.ts';

const microsoft = 'https://login.microsoftonline.com';
const sharedIssuers = [
  ...['common/v2.0', 'organizations/', 'Common/v2.0', '{tenantid}/v2.0'].map(
    (one) => `${microsoft}/${one}`,
  ),
  ...['https://LOGIN.microsoftonline.com:443/common/v2.0', 'https://sts.windows.net/common/'],
];

const sharedIssuer: Finding = {
  id: 'M6',
  async attack(scene) {
    // Calls the function directly: if the attack worked, a request would leave the loopback
    // interface.
    const taken = sharedIssuers.filter((issuer) => {
      try {
        refuseSharedIssuer(issuer);
        return true;
      } catch {
        return false;
      }
    });
    hold(taken.length === 0, `taken: ${taken.join(', ')}`);
    const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
    const own = `${microsoft}/${tenant}/v2.0`;
    const foreign = [undefined, '11111111-86f1-41af-91ab-2d7cd011db47', '', [tenant]];
    hold(!foreign.some((tid) => isOfTenant(own, tid)), 'a token of another tenant passes');
    hold(!isOfTenant(`${microsoft}/common/v2.0`, 'common'), 'a token of no tenant passes');
    hold(deniesDomainOwner({ xms_edov: 'false' }), 'an unverified domain owner passes');
    await ssoOrganization(scene, 'm6.example');
    const email = 'ceo@m6.example';
    const tries = [{ email_verified: false }, { email_verified: 'false' }, { xms_edov: 0 }];
    const landed: string[] = [];
    for (const claims of tries) {
      const came = await signInBySso(scene, email, { sub: 'm', email, ...claims });
      hold(came.user === null, `${JSON.stringify(claims)} signs in`);
      landed.push(came.landed);
    }
    return `${sharedIssuers.length} shared issuers and tokens of other tenants are refused (by the functions, not over the network); unverified addresses land at ${[...new Set(landed)].join(', ')}`;
  },
};

const foreignDomain: Finding = {
  id: 'M7',
  async attack(scene) {
    const { admin } = await ssoOrganization(scene, 'staff.m7.example');
    const boss = await scene.member(admin, 'ORGADMIN', 'boss@staff.m7.example');
    const contractors = await fakeProvider();
    try {
      const connection = await connect(admin, contractors, 'Contractors');
      const domain = await scene.ownDomain(admin, 'contractors.m7.example');
      await admin.call('PUT', `/api/sso/domains/${domain}`, { connectionId: connection.id });
      const claims = { sub: 'evil', email: boss.email, email_verified: true };
      const came = await signInBySso(scene, 'x@contractors.m7.example', claims, contractors);
      hold(came.user === null, `the contractors' provider signed in as ${came.user?.email}`);
      const honest = { sub: 'c', email: 'c@contractors.m7.example', email_verified: true };
      const own = await signInBySso(scene, 'x@contractors.m7.example', honest, contractors);
      prepared(own.user !== null, `its own person landed at ${own.landed}`);
      return `the contractors' provider asserting an admin of the staff's domain lands at ${came.landed}; its own people sign in`;
    } finally {
      await contractors.close();
    }
  },
};

const unaskedAnswer: Finding = {
  id: 'L3',
  async attack(scene) {
    const mallory = await scene.admin();
    const id = await scene.ownDomain(mallory, 'l3.example');
    const made = await mallory.call('POST', '/api/sso/connections', { kind: 'saml', name: 'Mine' });
    const settings = samlConnection({ name: 'Mine', enabled: true, allowIdpInitiated: true });
    const connection = await mallory.call('PUT', `/api/sso/connections/${made.id}`, settings);
    await mallory.call('PUT', `/api/sso/domains/${id}`, { connectionId: made.id });
    const xml = responseXml({
      issuer: connection.entityId,
      answerUrl: connection.answerUrl,
      audience: connection.ourEntityId,
      inResponseTo: null,
      email: 'mallory@l3.example',
    });
    const raw = new URLSearchParams({ SAMLResponse: base64(signXml(xml)) }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
    };
    const visitor = scene.visitor();
    const path = new URL(connection.answerUrl).pathname;
    const answer = await visitor.send('POST', path, undefined, { raw, headers });
    hold(!visitor.cookies.has('rapport_session'), 'the form signs the visitor in');
    const landed = String(answer.headers.location);
    prepared(landed.includes('sso=continue'), `the answer was not taken: ${landed}`);
    return `the form leads to ${landed} without a session`;
  },
};

const manyConnections: Finding = {
  id: 'L4',
  async attack(scene) {
    const ada = await scene.admin();
    const body = { kind: 'oidc', name: 'Many' };
    const made = await Promise.all(
      Array.from({ length: 61 }, () => ada.send('POST', '/api/sso/connections', body)),
    );
    const { connections } = await ada.call('GET', '/api/sso');
    hold(connections.length <= 50, `${connections.length} connections`);
    const refused = made.filter(({ status }) => status === 409).length;
    return `of 61 at once ${connections.length} are there, ${refused} were refused`;
  },
};

const amplified: Finding = {
  id: 'S1 (/sso/start asks the provider each time)',
  async attack(scene) {
    const idp = await fakeProvider();
    await ssoOrganization(scene, 's1.example', idp);
    const before = idp.requests.length;
    const visitor = scene.visitor();
    const body = { email: 'x@s1.example' };
    for (let n = 0; n < 25; n += 1) await visitor.call('POST', '/api/sso/start', body);
    const asked = idp.requests.length - before;
    await idp.close();
    hold(asked <= 2, `${asked} requests to the provider`);
    return `25 starts cause ${asked} requests to the provider`;
  },
};

const quietDeletion: Finding = {
  id: 'S2 (one admin deletes the organization)',
  when: 'aside',
  async attack(scene) {
    const owner = await scene.admin();
    const mallory = await scene.member(owner, 'ORGADMIN');
    const path = `/api/organizations/${owner.user.orgId}`;
    const { name } = await owner.call('GET', path);
    const { status } = await mallory.send('POST', `${path}/deletion`, { name });
    const told = await eventually(() => scene.sink.to(owner.email, /delet/i).length > 0, 15);
    hold(told, `the deletion answers ${status}, and the other admin gets no mail`);
    return `the deletion answers ${status}; the other admin gets "${scene.sink.to(owner.email).at(-1)?.subject}". No fresh proof was asked for within the first ten minutes of the session`;
  },
};

const leakedToken: Finding = {
  id: 'S3 (the access token follows a redirect)',
  async attack(scene) {
    const heard: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"sub":"r"}');
    });
    const redirecting = createServer((_request, response) => {
      response.writeHead(302, { location: addressOf(elsewhere) }).end();
    });
    for (const server of [elsewhere, redirecting]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    const idp = await fakeProvider({ userinfo_endpoint: addressOf(redirecting) });
    try {
      await ssoOrganization(scene, 's3.example', idp);
      const { landed } = await signInBySso(
        scene,
        'x@s3.example',
        { sub: 'r', email: undefined },
        idp,
      );
      prepared(heard.length > 0, `the redirect was not followed; landed at ${landed}`);
      hold(
        heard.every((one) => one === undefined),
        'the other host heard the access token',
      );
      return 'the redirect was followed to another origin without the access token';
    } finally {
      for (const server of [elsewhere, redirecting]) server.close();
      await idp.close();
    }
  },
};

const addressOf = (server: ReturnType<typeof createServer>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/userinfo`;

export const providerFindings = [
  ...[sharedIssuer, foreignDomain, unaskedAnswer, manyConnections],
  ...[amplified, quietDeletion, leakedToken],
];
