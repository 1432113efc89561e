import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fakeRecords, newSsoOrganization } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

const dns = fakeRecords();
let app: TestApp;
beforeAll(async () => {
  const outside = { ...openOutside(readConfig({})), txtRecords: dns.txtRecords };
  app = await openTestApp({ PUBLIC_URL: 'http://localhost' }, { outside });
});
afterAll(() => app.close());

const signIn = async (email: string) => {
  const visitor = new Visitor(app);
  await visitor.send('POST', '/api/login', { email, password: 'correct horse' });
  return visitor;
};
const statusOf = async (visitor: Visitor) => (await visitor.send('GET', '/api/user')).status;

test('an admin signs a member out everywhere, with an audit event; the member can sign in again', async () => {
  const admin = await newOrganization(app);
  const agent = await newMember(app, admin, 'AGENT');
  const phone = await signIn(agent.user.email);
  const url = `/api/users/${agent.user.id}/sessions`;
  expect(await admin.send('DELETE', url)).toMatchObject({ status: 204 });
  expect([await statusOf(agent), await statusOf(phone), await statusOf(admin)]).toEqual([
    401, 401, 200,
  ]);
  expect(await statusOf(await signIn(agent.user.email))).toBe(200);
  const { rows } = await app.owner.query(
    `select actor_id, entity_id from audit_events where org_id = $1 and action = 'SESSIONS_REMOVED'`,
    [admin.user.orgId],
  );
  expect(rows).toEqual([{ actor_id: admin.user.id, entity_id: agent.user.id }]);
});

test('only admins end sessions of others: not across organizations, and not of a super admin', async () => {
  const [admin, eve] = [await newOrganization(app), await newOrganization(app)];
  const agent = await newMember(app, admin, 'AGENT');
  const operator = await newMember(app, admin, 'SUPERADMIN');
  const end = (by: Visitor, of: { user: { id: string } }) =>
    by.send('DELETE', `/api/users/${of.user.id}/sessions`);
  expect(await end(agent, admin)).toMatchObject({ status: 403 });
  expect(await end(eve, agent)).toMatchObject({ status: 404 });
  expect(await end(admin, operator)).toMatchObject({ status: 403 });
  expect([await statusOf(agent), await statusOf(admin), await statusOf(operator)]).toEqual([
    200, 200, 200,
  ]);
});

type Person = Awaited<ReturnType<typeof newOrganization>>;
/** Requests of the admin and the directory that end or rotate sessions of a member. */
const changes: Record<string, (admin: Person, member: Person) => Promise<{ status: number }>> = {
  'a removal': (admin, { user }) => admin.send('DELETE', `/api/users/${user.id}`),
  'an erasure': (admin, { user }) => admin.send('POST', '/api/privacy/erase', { userId: user.id }),
  'a sign-out': (admin, { user }) => admin.send('DELETE', `/api/users/${user.id}/sessions`),
  'another role': (admin, { user }) =>
    admin.send('PUT', `/api/users/${user.id}/role`, { role: 'VIEWER' }),
  'a deactivation': async (admin, { user }) => {
    const directory = await Directory.of(app, admin);
    const inactive = patchOf({ op: 'replace', path: 'active', value: false });
    return directory.ask('PATCH', `/Users/${user.id}`, inactive);
  },
  'required SSO': (admin) =>
    admin.send('PUT', '/api/sso/policy', { required: true, breakGlass: [admin.user.id] }),
};

test.each(Object.entries(changes))(
  'R4-7: %s locks no session while it waits for a change by the member',
  async (_, change) => {
    const { admin } = await newSsoOrganization(app, dns, `${randomUUID()}.example`, 'saml');
    const member = await newMember(app, admin, 'AGENT');
    const { id } = member.user;
    // The member ends a session of their own: this locks the account, and then the session.
    const ending = new pg.Client(app.ownerLogin);
    await ending.connect();
    await ending.query('begin');
    await ending.query('select 1 from accounts where id = $1 for no key update', [id]);
    const changing = change(admin, member);
    await waitingForLocks(app);
    await ending.query('select 1 from sessions where account_id = $1 for update nowait', [id]);
    await ending.query('commit');
    await ending.end();
    expect((await changing).status).toBeLessThan(300);
  },
);

test('R4-7: an account can end at most sixty single sessions in ten minutes', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  try {
    const member = await newOrganization(strict);
    const end = () => member.send('DELETE', `/api/user/sessions/${randomUUID()}`);
    for (let n = 0; n < 60; n += 1) expect((await end()).status).toBe(404);
    expect(await end()).toMatchObject({ status: 429 });
  } finally {
    await strict.close();
  }
});
