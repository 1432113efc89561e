import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fakeProvider } from '#server/testing/oidc-provider.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { asOwner } from './operator.ts';
import type { Person, Reply } from './person.ts';
import type { Scene } from './scene.ts';
import { signInBySso, ssoOrganization } from './single-sign-on.ts';

const repository = join(import.meta.dirname, '../..');

/** Sends requests with an API token, and no session. */
function withToken(scene: Scene, token: string) {
  const visitor = scene.visitor();
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    visitor.send(method, path, body, { headers: { authorization: `Bearer ${token}`, ...headers } });
}

const formerProvider: Finding = {
  id: 'R20-1',
  when: 'aside',
  async attack(scene) {
    const [former, next] = [await fakeProvider(), await fakeProvider()];
    try {
      const { admin, connection } = await ssoOrganization(scene, 'r201.example', former);
      const claims = { sub: 'grace', email: 'grace@r201.example', email_verified: true };
      const { browser, user } = await signInBySso(scene, claims.email, claims, former);
      prepared(user !== null, 'the former provider signs nobody in');
      await admin.call('PUT', '/api/sso/policy', { required: true, breakGlass: [admin.user.id] });
      const asked = { name: 'Script', scopes: ['rooms:read', 'calls:read'], expiresInDays: null };
      const { token } = await browser.call('POST', '/api/user/tokens', asked);
      const feed = await browser.call('POST', '/api/calendar-feed', {});
      const read = () => withToken(scene, token)('GET', '/api/rooms');
      prepared((await read()).status === 200, 'the token does not work before');
      const other = { clientId: 'other', clientSecret: 'another secret', issuer: next.issuer };
      const settings = {
        name: 'Sign-on',
        enabled: true,
        entityId: '',
        ssoUrl: '',
        certificate: '',
      };
      const body = samlConnection({ ...settings, ...other });
      await admin.call('PUT', `/api/sso/connections/${connection.id}`, body);
      const session = await browser.send('GET', '/api/user');
      const [byToken, calendar] = [
        await read(),
        await scene.visitor().send('GET', new URL(feed.url).pathname),
      ];
      hold(
        byToken.status === 401 && calendar.status === 404,
        `after the connection was pointed at another provider, a session of the former one answers ${session.status}, and a personal token made in it ${byToken.status} (calendar address ${calendar.status})`,
      );
      return `after the connection was pointed at another provider: session ${session.status}, token ${byToken.status}, calendar address ${calendar.status}`;
    } finally {
      await Promise.all([former.close(), next.close()]);
    }
  },
};

/** A guest attended this call; without browsers, the row is stored. */
async function storeGuest(scene: Scene, admin: Person, call: string, name: string) {
  await asOwner(scene, (owner) =>
    owner.query(
      `insert into attendances (id, org_id, call_id, kind, name, joined_at)
       values (gen_random_uuid(), $1, $2, 'guest', $3, now())`,
      [admin.user.orgId, call, name],
    ),
  );
}

const keptAnswers: Finding = {
  id: 'R20-2',
  async attack(scene) {
    const admin = await scene.admin();
    await scene.signIn(admin);
    const scopes = ['rooms:read', 'calls:read', 'calls:write'];
    const asked = { name: 'Program', scopes, expiresInDays: null };
    const { token } = await admin.call('POST', '/api/organization-tokens', asked);
    const send = withToken(scene, token);
    const room = await admin.call('POST', '/api/rooms', { topic: 'Kept' });
    const call = await admin.call('POST', '/api/calls', { roomId: room.id });
    await storeGuest(scene, admin, call.id, 'Grace Hopper');
    const key = { 'idempotency-key': 'r20-2' };
    const again = (): Promise<Reply> => send('POST', '/api/calls', { roomId: room.id }, key);
    const first = await again();
    prepared(first.text.includes('Grace Hopper'), `the answer names no guest: ${first.text}`);
    await admin.call('POST', '/api/privacy/erase', { guest: 'Grace Hopper' });
    const read = await send('GET', `/api/calls/${call.id}`);
    prepared(!read.text.includes('Grace Hopper'), 'the call names the guest who was erased');
    const replayed = await again();
    hold(
      !replayed.text.includes('Grace Hopper'),
      `after a guest was erased, a repeated request answers their name (${replayed.status}, replayed: ${replayed.headers['idempotency-replayed']})`,
    );
    return `after a guest was erased, a repeated request answers ${replayed.status} without their name`;
  },
};

const operatorsTerminal: Finding = {
  id: 'R20-3',
  async attack(scene) {
    const admin = await scene.register(
      scene.newEmail(),
      'Evil\u001b[2K\u001b]0;retitled\u0007\u009b31m',
    );
    const env = { ...process.env, DATA_DIR: scene.program.dataDir };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['scripts/admin.ts', 'plan', admin.user.orgId, 'professional'],
      { cwd: repository, env },
    );
    hold(
      !/(?!\n)\p{Cc}/u.test(stdout),
      `setting a plan prints the control characters of the organization's name: ${JSON.stringify(stdout)}`,
    );
    return 'setting a plan prints no control characters';
  },
};

/** Of the twentieth review: what goes on after the right to it has ended. */
export const outlivingFindings: Finding[] = [formerProvider, keptAnswers, operatorsTerminal];
