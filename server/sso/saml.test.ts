import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnection, readSso, readTest, testConnection } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { foreignKeys, providerKeys } from '#server/testing/saml-keys.ts';
import {
  base64,
  type ResponseParts,
  responseXml,
  type SignOptions,
  signXml,
} from '#server/testing/saml-provider.ts';
import {
  Browser,
  change,
  fakeRecords,
  newSsoOrganization,
  readRequest,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { Visitor } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let acme: SsoOrganization;
let people = 0;

beforeAll(async () => {
  const outside = { ...openOutside(readConfig({})), txtRecords: dns.txtRecords };
  app = await openTestApp({}, { outside });
  acme = await newSsoOrganization(app, dns, 'acme.example', 'saml');
});
afterAll(() => app.close());

const newEmail = () => `saml-${++people}@acme.example`;

interface Try {
  email?: string;
  parts?: Partial<ResponseParts>;
  sign?: SignOptions;
  /** Change the document before and after it is signed. */
  before?: (xml: string) => string;
  after?: (signed: string) => string;
  organization?: SsoOrganization;
  next?: string;
}

/** Goes to the provider, and returns with the response that it, or an attacker, made. */
async function trySignIn(given: Try = {}) {
  const of = given.organization ?? acme;
  const { connection } = of;
  const email = given.email ?? newEmail();
  const browser = new Browser(app);
  const request = readRequest(
    await browser.start(`somebody@${of.domain}`, given.next ? { next: given.next } : {}),
  );
  const xml = responseXml(
    {
      issuer: connection.entityId ?? '',
      answerUrl: connection.answerUrl,
      audience: connection.ourEntityId ?? '',
      inResponseTo: request.id,
      email,
    },
    given.parts,
  );
  const signed = given.sign?.key === '' ? xml : signXml(given.before?.(xml) ?? xml, given.sign);
  const SAMLResponse = base64(given.after?.(signed) ?? signed);
  const form = { SAMLResponse, RelayState: request.relayState };
  const landed = await browser.visit(connection.answerUrl, form);
  const path = landed.includes('/finish?') ? await browser.visit(landed) : landed;
  return { browser, path, form, email, landed };
}

async function expectRefused(given: Try, check: string): Promise<void> {
  const { browser, path } = await trySignIn(given);
  expect(path).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
  const { rows } = await app.owner.query(
    `select metadata->>'check' as name from audit_events where action = 'SSO_SIGN_IN_FAILED'
     order by id desc limit 1`,
  );
  expect(rows[0]?.name).toBe(check);
}

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a new person of a verified domain signs in with the default role, and lands on next', async () => {
  const attributes = { givenName: ['Grace'], sn: ['Hopper'] };
  const { browser, path, email } = await trySignIn({ parts: { attributes }, next: '/app/rooms' });
  expect(path).toBe('/app/rooms');
  expect(await browser.user()).toMatchObject({
    email,
    firstName: 'Grace',
    lastName: 'Hopper',
    role: 'AGENT',
    orgId: acme.admin.user.orgId,
  });
});

test('the second sign-in finds the same account by the provider’s NameID', async () => {
  const first = await trySignIn();
  const again = await trySignIn({
    parts: { nameId: first.email, attributes: { mail: [newEmail()] } },
  });
  expect((await again.browser.user()).id).toBe((await first.browser.user()).id);
  expect((await again.browser.user()).email).toBe(first.email);
});

test('a response works once, and only in the browser that began', async () => {
  const { browser, form, landed } = await trySignIn();
  expect(browser.isSignedIn).toBe(true);
  const other = new Browser(app);
  expect(await other.visit(landed)).toBe('/auth?sso=expired');
  expect(await other.visit(acme.connection.answerUrl, form)).toBe('/auth?sso=expired');
  expect(other.isSignedIn).toBe(false);
  const stolen = readRequest(await new Browser(app).start('somebody@acme.example'));
  const xml = signXml(
    responseXml({
      issuer: acme.connection.entityId ?? '',
      answerUrl: acme.connection.answerUrl,
      audience: acme.connection.ourEntityId ?? '',
      inResponseTo: stolen.id,
      email: newEmail(),
    }),
  );
  const back = await other.visit(acme.connection.answerUrl, { SAMLResponse: base64(xml) });
  expect(await other.visit(back)).toBe('/auth?sso=expired');
  expect(other.isSignedIn).toBe(false);
});

describe('attack 37: a SAML response that does not match the request is refused', () => {
  test('unsigned', () => expectRefused({ sign: { key: '' } }, 'signature'));
  test('signed with another key', () =>
    expectRefused({ sign: { key: foreignKeys.key } }, 'signature'));
  test('only the response is signed', () =>
    expectRefused({ sign: { element: 'Response' } }, 'signature'));
  test('signed with SHA-1', () => expectRefused({ sign: { algorithm: 'sha1' } }, 'signature'));
  test('changed after it was signed', () =>
    expectRefused({ after: (xml) => xml.replaceAll(/saml-\d+@acme/g, 'ceo@acme') }, 'signature'));
  test('wrong Issuer of the assertion', () =>
    expectRefused({ parts: { issuer: 'https://evil.example' } }, 'issuer'));
  test('wrong Issuer of the response', () =>
    expectRefused({ parts: { responseIssuer: 'https://evil.example' } }, 'issuer'));
  test('wrong Recipient', () =>
    expectRefused({ parts: { recipient: 'https://other.example/acs' } }, 'recipient'));
  test('wrong Destination', () =>
    expectRefused({ parts: { destination: 'https://other.example/acs' } }, 'destination'));
  test('wrong Status', () =>
    expectRefused({ parts: { status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' } }, 'status'));
  test('wrong Audience', () =>
    expectRefused({ parts: { audience: 'https://other.example' } }, 'audience'));
  test('no Audience', () =>
    expectRefused(
      {
        before: (xml) =>
          xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ''),
      },
      'audience',
    ));
  test('expired', () => expectRefused({ parts: { notOnOrAfter: soon(-3) } }, 'time'));
  test('not yet valid', () =>
    expectRefused({ parts: { notBefore: soon(3), notOnOrAfter: soon(9) } }, 'time'));
  test('without an expiry', () =>
    expectRefused({ before: (xml) => xml.replace(/ NotOnOrAfter="[^"]*"\/>/, '/>') }, 'time'));
  test('answers another request', () =>
    expectRefused({ parts: { inResponseTo: '_01900000-0000-7000-8000-000000000000' } }, 'request'));
  test('answers no request, if the provider must not initiate sign-ins', () =>
    expectRefused({ parts: { inResponseTo: null } }, 'request'));
  test('a comment in the NameID, which would truncate the address', () =>
    expectRefused({ parts: { nameId: 'ceo@acme.example<!---->.evil.example' } }, 'document'));
  test('a comment inserted after signing, which does not break the signature', () =>
    expectRefused(
      {
        after: (xml) =>
          xml.replace('@acme.example</saml:NameID>', '@acme<!---->.example</saml:NameID>'),
      },
      'document',
    ));
  test('a document type with entities that expand', () =>
    expectRefused(
      {
        after: (xml) =>
          `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]>${xml}`,
      },
      'document',
    ));
  test('not XML', () => expectRefused({ after: () => 'x' }, 'document'));

  test('replay: an assertion that was already used', async () => {
    const assertionId = '_once-and-only-once';
    const first = await trySignIn({ parts: { assertionId } });
    expect(first.browser.isSignedIn).toBe(true);
    await expectRefused({ parts: { assertionId } }, 'replay');
  });

  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<Signature.*<\/Signature>/s.exec(xml)?.[0] ?? '';
  /** An assertion of the attacker's: another ID and person, without a signature. */
  const evil = (xml: string) =>
    assertionOf(xml)
      .replace(signatureOf(xml), '')
      .replace(/ID="_assertion[^"]*"/, 'ID="_evil"')
      .replace(/saml-\d+@acme/, 'ceo@acme');
  const evilResponse = (xml: string) =>
    xml
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace(/ID="_response[^"]*"/, 'ID="_evil-response"')
      .replace(/saml-\d+@acme/, 'ceo@acme');
  const inside = (signature: string, more: string) =>
    signature.replace('</Signature>', `${more}</Signature>`);

  /** Somorovsky et al., On Breaking SAML (2012): the eight kinds of signature wrapping. */
  const wrappings: Record<string, { element?: 'Response'; after: (xml: string) => string }> = {
    'XSW1: the signed response inside the signature of an evil one': {
      element: 'Response',
      after: (xml) =>
        evilResponse(xml).replace(
          '<samlp:Status>',
          `${inside(signatureOf(xml), xml.replace(signatureOf(xml), ''))}<samlp:Status>`,
        ),
    },
    'XSW2: the signed response before a detached signature': {
      element: 'Response',
      after: (xml) =>
        evilResponse(xml).replace(
          '<samlp:Status>',
          `${xml.replace(signatureOf(xml), '')}${signatureOf(xml)}<samlp:Status>`,
        ),
    },
    'XSW3: an evil assertion before the signed one': {
      after: (xml) => xml.replace(assertionOf(xml), evil(xml) + assertionOf(xml)),
    },
    'XSW4: the signed assertion within an evil one': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
        ),
    },
    'XSW5: the signature in the evil assertion, the signed one at the end': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace('<saml:Subject>', `${signatureOf(xml)}<saml:Subject>`) +
            assertionOf(xml).replace(signatureOf(xml), ''),
        ),
    },
    'XSW6: the signed assertion within the signature of the evil one': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace(
            '<saml:Subject>',
            `${inside(signatureOf(xml), assertionOf(xml).replace(signatureOf(xml), ''))}<saml:Subject>`,
          ),
        ),
    },
    'XSW7: an evil assertion in Extensions': {
      after: (xml) =>
        xml.replace(
          '<samlp:Status>',
          `<samlp:Extensions>${evil(xml)}</samlp:Extensions><samlp:Status>`,
        ),
    },
    'XSW8: the signed assertion in an Object of the signature': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace(
            '<saml:Subject>',
            `${inside(
              signatureOf(xml),
              `<Object>${assertionOf(xml).replace(signatureOf(xml), '')}</Object>`,
            )}<saml:Subject>`,
          ),
        ),
    },
    'the same ID on an evil assertion that comes first': {
      after: (xml) => {
        const id = /ID="_assertion[^"]*"/.exec(xml)?.[0] ?? '';
        return xml.replace(
          assertionOf(xml),
          evil(xml).replace('ID="_evil"', id) + assertionOf(xml),
        );
      },
    },
  };
  test.each(Object.entries(wrappings))('signature wrapping, %s', async (_name, attack) => {
    const { element, after: wrap } = attack;
    let isMade = false;
    const changed = (xml: string) => {
      const made = wrap(xml);
      isMade = made !== xml && made.includes('ceo@acme.example');
      return made;
    };
    const sign = element ? { element } : {};
    const { browser, path } = await trySignIn({ sign, after: changed });
    expect(isMade).toBe(true);
    expect(path).toBe('/auth?sso=failed');
    expect(browser.isSignedIn).toBe(false);
    const { rows } = await app.owner.query(
      `select 1 from accounts where email = 'ceo@acme.example'`,
    );
    expect(rows).toEqual([]);
  });
});

test('a response that is signed as well as its assertion is accepted', async () => {
  const { browser } = await trySignIn({ after: (xml) => signXml(xml, { element: 'Response' }) });
  expect(browser.isSignedIn).toBe(true);
});

test('attack 38: an address of another organization is refused', async () => {
  await newSsoOrganization(app, dns, 'victim.example', 'saml');
  await expectRefused({ email: 'ceo@victim.example' }, 'domain');
  await expectRefused({ email: 'ceo@unclaimed.example' }, 'domain');
  // Also for a person who is known with another address.
  const known = await trySignIn();
  await expectRefused(
    {
      email: 'ceo@victim.example',
      parts: { nameId: known.email, attributes: { mail: ['ceo@victim.example'] } },
    },
    'domain',
  );
});

describe('a response initiated by the provider, if an admin allows it', () => {
  let open: SsoOrganization;
  beforeAll(async () => {
    const settings = { allowIdpInitiated: true };
    open = await newSsoOrganization(app, dns, 'open.example', 'saml', settings);
  });

  const arrive = (RelayState: string) => {
    const browser = new Browser(app);
    const { connection } = open;
    const xml = responseXml({
      issuer: connection.entityId ?? '',
      answerUrl: connection.answerUrl,
      audience: connection.ourEntityId ?? '',
      inResponseTo: null,
      email: `p${++people}@open.example`,
    });
    const form = { SAMLResponse: base64(signXml(xml)), RelayState };
    return { browser, form, send: () => browser.visit(connection.answerUrl, form) };
  };

  test('L3: it leads to the sign-in page without a session, and the person begins there', async () => {
    const { browser, form, send } = arrive('/app');
    const landed = new URL(await send(), 'http://own');
    expect(landed.pathname).toBe('/auth');
    expect(Object.fromEntries(landed.searchParams)).toEqual({
      sso: 'continue',
      email: `p${people}@open.example`,
      next: '/app',
    });
    expect(browser.isSignedIn).toBe(false);
    const other = new Browser(app);
    expect(await other.visit(open.connection.answerUrl, form)).toBe('/auth?sso=expired');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/a\\b',
  ])('attack 30: RelayState %j leads only to pages of this site', async (relay) => {
    expect(await arrive(relay).send()).toBe(`/auth?sso=continue&email=p${people}%40open.example`);
  });
});

test('roles follow an attribute at each sign-in, and are never SUPERADMIN', async () => {
  const roleRules = [
    { value: 'admins', role: 'ORGADMIN' },
    { value: 'guests', role: 'VIEWER' },
  ];
  const of = await newSsoOrganization(app, dns, 'roles.example', 'saml', {
    roleClaim: 'groups',
    roleRules,
  });
  const email = 'ada@roles.example';
  const roleWith = async (groups: string[]) => {
    const parts = { attributes: { groups } };
    return (await (await trySignIn({ organization: of, email, parts })).browser.user()).role;
  };
  expect(await roleWith(['guests'])).toBe('VIEWER');
  expect(await roleWith(['guests', 'admins'])).toBe('ORGADMIN');
  expect(await roleWith(['nothing'])).toBe('ORGADMIN');
  expect(await roleWith(['guests'])).toBe('VIEWER');
  const reply = await of.admin.send('PUT', `/api/sso/connections/${of.connection.id}`, {
    ...of.connection,
    roleRules: [{ value: 'x', role: 'SUPERADMIN' }],
  });
  expect(reply.status).toBe(400);
});

test('the test button signs in no one and shows the claims', async () => {
  const { admin, connection } = acme;
  const begun = await admin.call(testConnection, { params: { id: connection.id } });
  const request = readRequest(begun.url);
  const answer = (email: string, given: Partial<ResponseParts> = {}) =>
    base64(
      signXml(
        responseXml(
          {
            issuer: connection.entityId ?? '',
            answerUrl: connection.answerUrl,
            audience: connection.ourEntityId ?? '',
            inResponseTo: request.id,
            email,
          },
          { attributes: { team: ['A', 'B'] }, ...given },
        ),
      ),
    );
  const browser = new Browser(app);
  const send = (SAMLResponse: string) =>
    browser.visit(connection.answerUrl, { SAMLResponse, RelayState: request.relayState });

  expect(await send(answer('t@acme.example', { recipient: 'https://x.example' }))).toBe(
    `/app/settings/sso?test=${begun.id}`,
  );
  const failed = await admin.call(readTest, { params: { id: begun.id } });
  expect(failed.result?.checks.at(-1)).toMatchObject({ name: 'recipient', passed: false });

  await send(answer('t@acme.example'));
  const passed = await admin.call(readTest, { params: { id: begun.id } });
  expect(passed.result).toMatchObject({ email: 't@acme.example', role: 'AGENT' });
  expect(passed.result?.claims).toContainEqual({ name: 'team', values: ['A', 'B'] });
  expect(passed.result?.checks.every((check) => check.passed)).toBe(true);
  expect(browser.isSignedIn).toBe(false);
  const { rows } = await app.owner.query(`select 1 from accounts where email = 't@acme.example'`);
  expect(rows).toEqual([]);
});

test('a connection that is switched off refuses sign-ins', async () => {
  const of = await newSsoOrganization(app, dns, 'off.example', 'saml');
  const browser = new Browser(app);
  const request = readRequest(await browser.start('a@off.example'));
  await change(of, { enabled: false });
  const xml = responseXml({
    issuer: of.connection.entityId ?? '',
    answerUrl: of.connection.answerUrl,
    audience: of.connection.ourEntityId ?? '',
    inResponseTo: request.id,
    email: 'a@off.example',
  });
  const back = await browser.visit(of.connection.answerUrl, { SAMLResponse: base64(signXml(xml)) });
  expect(back).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
  await expect(browser.start('a@off.example')).rejects.toThrow('no_sso_for_domain');
});

const nested = (name: string, levels: number) =>
  `<${name}>`.repeat(levels) + `</${name}>`.repeat(levels);

describe('a response that is expensive to read is refused before a DOM is built', () => {
  const failing = 'urn:oasis:names:tc:SAML:2.0:status:Responder';
  const within = (what: string) => ({
    parts: { status: failing },
    sign: { key: '' },
    after: (xml: string) => xml.replace('</samlp:Status>', `${what}</samlp:Status>`),
  });
  test('nested deeper than 32 levels, without a signature', async () => {
    await expectRefused(within(nested('samlp:StatusMessage', 29)), 'status');
    await expectRefused(within(nested('samlp:StatusMessage', 31)), 'document');
    await expectRefused(within(nested('samlp:StatusMessage', 4_000)), 'document');
  });
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`);
  test('B2: with more than 800 elements, 2,000 attributes, or 100 in one element', async () => {
    await expectRefused(within('<a/>'.repeat(750)), 'status');
    await expectRefused(within('<a/>'.repeat(800)), 'document');
    const wide = `<a ${attributes(100).join(' ')}/>`;
    await expectRefused(within(wide.repeat(19)), 'status');
    await expectRefused(within(wide.repeat(20)), 'document');
    await expectRefused(within(`<a ${attributes(101).join(' ')}/>`), 'document');
  });
  test('B2: the server does other work while it reads the largest response', async () => {
    const padding = `<x>${'<y a="" b=""/>'.repeat(700)}</x>`;
    const sign = { key: foreignKeys.key };
    const after = (xml: string) =>
      signXml(xml.replace('</samlp:Response>', `${padding}</samlp:Response>`), {
        element: 'Response',
        ...sign,
      });
    const { browser, form } = await trySignIn({ sign, after });
    const pauses = watchPauses();
    expect(await browser.visit(acme.connection.answerUrl, form)).toBe('/auth?sso=failed');
    const { longestMs, allMs } = pauses.stop();
    expect(longestMs).toBeLessThan(allMs / 2);
  });
});

/** Measures the longest pause of the event loop until `stop`. */
function watchPauses() {
  const began = performance.now();
  let last = began;
  let longestMs = 0;
  let isOver = false;
  const look = () => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    stop() {
      isOver = true;
      look();
      return { longestMs, allMs: last - began };
    },
  };
}

test('B2: a person with 500 groups signs in', async () => {
  const groups = Array.from({ length: 500 }, (_, n) => `Group ${n} of the whole company`);
  const before = (xml: string) =>
    xml.replaceAll(
      '<saml:AttributeValue>',
      '<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">',
    );
  const { browser } = await trySignIn({ parts: { attributes: { groups } }, before });
  expect(browser.isSignedIn).toBe(true);
});

test('B2: a connection accepts at most five certificates, and drops duplicates', async () => {
  const der = Buffer.from(providerKeys.certificate.replace(/-----.*?-----/g, ''), 'base64');
  const variant = (last: number) => Buffer.concat([der.subarray(0, -1), Buffer.of(last)]);
  const pem = (count: number) =>
    Array.from(
      { length: count },
      (_, n) =>
        `-----BEGIN CERTIFICATE-----\n${variant(n).toString('base64')}\n-----END CERTIFICATE-----\n`,
    ).join('');
  const { admin } = acme;
  const { id } = await admin.call(createConnection, { body: { kind: 'saml', name: 'Keys' } });
  const put = (certificate: string) =>
    admin.send('PUT', `/api/sso/connections/${id}`, samlConnection({ certificate }));
  expect(await put(pem(5) + pem(5))).toMatchObject({ status: 200 });
  expect((await admin.call(readSso)).connections.at(-1)?.certificates).toHaveLength(5);
  const code = 'too_many_certificates';
  expect(await put(pem(6))).toMatchObject({ status: 400, body: { code } });
});

test('metadata that is nested too deeply, or of a whole federation, is refused with what to do', async () => {
  const { admin, connection } = acme;
  const put = (metadata: string) =>
    admin.send('PUT', `/api/sso/connections/${connection.id}`, {
      ...connection,
      roleClaim: '',
      issuer: '',
      clientId: '',
      clientSecret: '',
      metadataUrl: '',
      certificate: '',
      entityId: '',
      ssoUrl: '',
      metadata,
    });
  const federation = `<EntitiesDescriptor>${'<EntityDescriptor/>'.repeat(5_000)}</EntitiesDescriptor>`;
  for (const [metadata, why] of [
    [nested('EntityDescriptor', 6_000), 'nested too deeply'],
    [federation, 'that of one identity provider alone'],
  ] as const) {
    expect(await put(metadata)).toMatchObject({
      status: 400,
      body: { code: 'bad_metadata', message: expect.stringContaining(why) },
    });
  }
});

test('the metadata of an unknown connection answers 404', async () => {
  const path = `/sso/saml/${crypto.randomUUID()}/metadata`;
  expect((await new Visitor(app).send('GET', path)).status).toBe(404);
});
