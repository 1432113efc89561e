import { generate } from 'otplib';
import { HubspotStandIn } from '#server/testing/hubspot-stand-in.ts';
import { SalesforceStandIn } from '#server/testing/salesforce-stand-in.ts';
import { type Finding, hold } from './finding.ts';
import { asOwner } from './operator.ts';
import type { Person, Reply } from './person.ts';
import { openScene, password } from './scene.ts';

const statuses = (replies: Reply[]) => replies.map(({ status }) => status).join(', ');

/** States of an authorization in other sessions, organizations, and vendors, twice, and late; hostile instances. */
const authorizations: Finding = {
  id: 'R20-10',
  async attack() {
    const [hubspot, salesforce] = await Promise.all([
      new HubspotStandIn().open(),
      new SalesforceStandIn().open(),
    ]);
    const scene = await openScene({ ...hubspot.settings, ...salesforce.settings });
    try {
      const [ada, eve] = [await scene.admin(), await scene.admin()];
      const second = scene.visitor();
      second.email = ada.email;
      await scene.signIn(second);
      const begin = async (who: Person, vendor: string) => {
        const { url } = await who.call('POST', '/api/crm-authorizations', { vendor });
        return (vendor === 'hubspot' ? hubspot : salesforce).allow(url);
      };
      const finish = (who: Person, vendor: string, code: string, state: string) =>
        who.send('POST', '/api/crm-connections', { vendor, code, state });
      const one = await begin(ada, 'hubspot');
      const stolen = [
        await finish(eve, 'hubspot', one.code, one.state),
        await finish(second, 'hubspot', one.code, one.state),
        await finish(ada, 'salesforce', one.code, one.state),
        await finish(eve, 'hubspot', one.code, (await begin(eve, 'salesforce')).state),
      ];
      hold(
        stolen.every(({ status }) => status === 400),
        `a state of another session, organization, or vendor answers ${statuses(stolen)}`,
      );
      const both = await Promise.all(
        Array.from({ length: 5 }, () => finish(ada, 'hubspot', one.code, one.state)),
      );
      const connected = both.filter(({ status }) => status === 201).length;
      hold(connected === 1, `one state connected ${connected} times: ${statuses(both)}`);
      const late = await begin(ada, 'hubspot');
      await asOwner(scene, (owner) =>
        owner.query(`update crm_flows set expires_at = now() - interval '1 second'`),
      );
      const expired = await finish(ada, 'hubspot', late.code, late.state);
      hold(expired.status === 400, `a state that has expired answers ${expired.status}`);
      const hostile: Reply[] = [];
      // Another one, within the limit of attempts to connect.
      const mallory = await scene.admin();
      for (const url of [
        'https://evil.example',
        'https://salesforce.com.evil.example',
        'https://evilsalesforce.com',
        'https://x@evil.example/?.salesforce.com',
        'http://na1.salesforce.com',
        'https://na1.salesforce.com:8443',
        'https://evil.example#.salesforce.com',
        'javascript:alert(1)',
      ]) {
        salesforce.instanceUrl = url;
        const { code, state } = await begin(mallory, 'salesforce');
        hostile.push(await finish(mallory, 'salesforce', code, state));
      }
      hold(
        hostile.every(({ status }) => status === 409),
        `hostile instances answer ${statuses(hostile)}`,
      );
      const open = salesforce.openRefreshTokens;
      const texts = [...stolen, ...both, ...hostile].map(({ text }) => text).join('');
      hold(!/(access|refresh)-[0-9a-f-]{36}/.test(texts), 'an answer contains a token');
      return `foreign states ${statuses(stolen)}; five uses of one ${statuses(both)}; expired ${expired.status}; hostile instances ${statuses(hostile)}, of which ${open} refresh tokens stay at the vendor`;
    } finally {
      await scene.close();
      await Promise.all([hubspot.close(), salesforce.close()]);
    }
  },
};

const guessedCodes: Finding = {
  id: 'R20-11',
  when: 'aside',
  async attack(scene) {
    const ada = await scene.admin();
    const { secret } = await ada.call('POST', '/api/user/two-factor');
    const code = await generate({ secret });
    await ada.call('POST', '/api/user/two-factor/confirm', { code });
    const thieves = Array.from({ length: 10 }, () => scene.visitor());
    for (const thief of thieves)
      await thief.send('POST', '/api/login', { email: ada.email, password });
    const guesses = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        thieves[n % 10]?.send('POST', '/api/login/second-factor', {
          code: String(100_000 + n),
        }),
      ),
    );
    const compared = guesses.filter((reply) => reply?.status === 401).length;
    hold(
      compared <= 10,
      `of 100 codes at the same moment from ten addresses, ${compared} were compared`,
    );
    return `of 100 codes at the same moment from ten addresses, ${compared} were compared`;
  },
};

const tokensElsewhere: Finding = {
  id: 'R20-12',
  when: 'aside',
  async attack(scene) {
    const admin = await scene.admin();
    await scene.signIn(admin);
    const asked = { name: 'Narrow', scopes: ['rooms:read'], expiresInDays: null };
    const { token } = await admin.call('POST', '/api/user/tokens', asked);
    const { token: ofOrganization } = await admin.call('POST', '/api/organization-tokens', {
      ...asked,
      scopes: ['rooms:embed'],
    });
    const room = await admin.call('POST', '/api/rooms', { topic: 'Tokens' });
    const paths: [string, string, unknown?][] = [
      ['GET', `/api/rooms/${room.id}`],
      ['GET', '/api/user'],
      ['GET', '/api/user/export'],
      ['POST', '/api/user/tokens', asked],
      ['GET', '/api/organization-tokens'],
      ['GET', '/api/audit-events'],
      ['GET', '/api/audit-events/export?format=csv'],
      ['GET', '/api/consents/export'],
      ['GET', '/api/privacy'],
      ['GET', '/api/sso'],
      ['GET', '/api/crm-connections'],
      ['GET', '/api/slack-channels'],
      ['GET', '/api/calls'],
      ['HEAD', '/api/calls'],
      ['GET', '/api/search?q=a'],
      ['GET', `/api/rooms/${room.id}/guest-links`],
      ['GET', `/api/rooms/${room.id}/guest-link`],
      ['PATCH', `/api/rooms/${room.id}`, { topic: 'x' }],
      ['PUT', `/api/rooms/${room.id}/archive`],
      ['POST', '/api/logout'],
      ['GET', '/api/calendar-feed'],
      ['GET', '/portraits/01a21cc5-4f5d-7726-a304-44488a9647ba.webp'],
    ];
    const through: string[] = [];
    for (const bearer of [token, ofOrganization]) {
      for (const [method, path, body] of paths) {
        // With the session's cookie beside the token, which must not count.
        const headers = { authorization: `bearer ${bearer}` };
        const { status } = await admin.send(method, path, body, { headers });
        if (status < 400 && path !== '/api/logout') through.push(`${method} ${path} ${status}`);
      }
    }
    hold(through.length === 0, `tokens reach what their scopes do not name: ${through.join('; ')}`);
    const visitor = scene.visitor();
    const places = [
      await visitor.send('GET', `/api/rooms?access_token=${token}`),
      await visitor.send('GET', '/api/rooms', undefined, {
        headers: { cookie: `rapport_session=${token}` },
      }),
      await visitor.send('GET', '/scim/v2/Users', undefined, {
        headers: { authorization: `Bearer ${token}` },
      }),
      await visitor.send('GET', `/calendar/${token}.ics`),
      await visitor.send('GET', `/api/shared-recordings/${token}`),
      await visitor.send('GET', `/api/invitations/${token}`),
      await visitor.send('GET', `/api/join/${token}`),
    ];
    hold(
      places.every(({ status }) => status >= 400),
      `a token elsewhere answers ${statuses(places)}`,
    );
    return `${2 * paths.length} requests beyond their scopes refused; elsewhere ${statuses(places)}`;
  },
};

const embeddedPeople: Finding = {
  id: 'R20-13',
  when: 'aside',
  async attack(scene) {
    const [admin, other] = [await scene.admin(), await scene.admin()];
    const room = await admin.call('POST', '/api/rooms', { topic: 'Embedded', lobby: true });
    const foreign = await other.call('POST', '/api/rooms', { topic: 'Foreign' });
    const second = await admin.call('POST', '/api/rooms', { topic: 'Second' });
    const mint = async (more = {}) =>
      (
        await admin.call('POST', `/api/rooms/${room.id}/embed-tokens`, {
          ...{ displayName: 'Bo', admitted: true },
          ...more,
        })
      ).token;
    const visit = (token: string, id = room.id) =>
      scene.visitor().send('GET', `/embed/${id}/${token}`);
    const isOpen = ({ text }: Reply) => /id="boot">\{"kind":"guest"/.test(text);
    const once = await mint();
    const all = await Promise.all(Array.from({ length: 20 }, () => visit(once)));
    const opened = all.filter(isOpen).length;
    hold(opened === 1, `one token opened the call ${opened} times`);
    const [elsewhere, swapped] = [
      await visit(await mint(), foreign.id),
      await visit(await mint(), second.id),
    ];
    hold(!isOpen(elsewhere) && !isOpen(swapped), 'a token opens another room');
    const revoked = await mint();
    await admin.call('POST', `/api/rooms/${room.id}/guest-link`);
    const afterRenewal = await visit(revoked);
    hold(!isOpen(afterRenewal), 'a token opens the room after its guest link was renewed');
    const expired = await mint();
    await asOwner(scene, (owner) =>
      owner.query(
        `update embed_tokens set expires_at = now() - interval '1 second' where used_at is null`,
      ),
    );
    hold(!isOpen(await visit(expired)), 'a token opens the room after it has expired');
    const archived = await mint();
    await admin.call('PUT', `/api/rooms/${room.id}/archive`);
    hold(!isOpen(await visit(archived)), 'a token opens a room that was archived');
    const csp = String((await visit(archived)).headers['content-security-policy']);
    hold(
      /frame-ancestors 'self'(;|$)/.test(csp),
      `without listed sites the page may be framed: ${csp}`,
    );
    return `20 uses at the same moment opened one; other rooms ${elsewhere.status}, ${swapped.status}; after a renewal ${afterRenewal.status}; expired and archived refused; frame-ancestors 'self'`;
  },
};

/** Of the twentieth review: grants that were read before, and are attacked here. */
export const grantFindings: Finding[] = [
  authorizations,
  guessedCodes,
  tokensElsewhere,
  embeddedPeople,
];
