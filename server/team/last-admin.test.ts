import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as team from '#domain/team/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { syncRole } from '#server/sso/sync-role.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;
const person = { password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
let count = 0;

async function invite(admin: Person, email: string): Promise<string> {
  const { url } = await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  return /\/invite\/([\w-]+)/.exec(url)?.[1] ?? '';
}
/** Holds the locks of the statement until the returned function is called. */
async function hold(sql: string, ...values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query(sql, values);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
async function rolesIn(orgId: string | null): Promise<string[]> {
  const { rows } = await app.owner.query('select role from memberships where org_id = $1', [orgId]);
  return rows.map(({ role }) => role);
}
/** The only member of an organization, who is invited elsewhere, and a person who is invited to it. */
async function leavingWhileJoining() {
  const [boss, corp] = [await newOrganization(app), await newOrganization(app)];
  const out = await invite(corp, boss.user.email);
  const email = `newcomer-${++count}@example.com`;
  const token = await invite(boss, email);
  const accept = () =>
    new Visitor(app).send('POST', `/api/invitations/${token}/accept`, { ...person, email });
  const leave = () =>
    boss.send('POST', '/api/user/membership', { invitation: out, leaveOrganization: true });
  return { boss, accept, leave };
}

test('A13: the only member cannot leave while another person joins, because that person would have no admin', async () => {
  const { boss, accept, leave } = await leavingWhileJoining();
  // The acceptance has inserted the membership, and waits.
  const release = await hold(
    'select 1 from invitations where org_id = $1 for update',
    boss.user.orgId,
  );
  const accepting = accept();
  await waitingForLocks(app, 1);
  const leaving = leave();
  await waitingForLocks(app, 2);
  await release();
  expect(await accepting).toMatchObject({ status: 201 });
  expect(await leaving).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  expect((await rolesIn(boss.user.orgId)).sort()).toEqual(['AGENT', 'ORGADMIN']);
});

test('A13: joining while the only member leaves is refused', async () => {
  const { boss, accept, leave } = await leavingWhileJoining();
  const { email } = boss.user;
  await new Visitor(app).send('POST', '/api/login', { email, password: 'correct horse' });
  // Leaving has ended the membership, and waits for the other session, which ends with it.
  const release = await hold(
    'select 1 from sessions where account_id = $1 order by created_at desc limit 1 for update',
    boss.user.id,
  );
  const leaving = leave();
  await waitingForLocks(app, 1);
  const accepting = accept();
  await waitingForLocks(app, 2);
  await release();
  expect(await leaving).toMatchObject({ status: 200 });
  expect(await accepting).toMatchObject({ status: 410 });
  expect(await rolesIn(boss.user.orgId)).toEqual([]);
});

test('a directory cannot add or reactivate users after the last member has left', async () => {
  const [boss, corp] = [await newOrganization(app), await newOrganization(app)];
  const directory = await Directory.of(app, boss, 'deserted.example');
  const away = await directory.user('away@deserted.example', { active: false });
  const invitation = await invite(corp, boss.user.email);
  await boss.send('POST', '/api/user/membership', { invitation, leaveOrganization: true });
  const made = await directory.ask('POST', '/Users', { userName: 'new@deserted.example' });
  expect(made).toMatchObject({ status: 403, body: { detail: expect.stringContaining('admin') } });
  const back = await directory.ask('PATCH', `/Users/${away.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: true }],
  });
  expect(back).toMatchObject({ status: 403 });
  expect(await rolesIn(boss.user.orgId)).toEqual([]);
});

test('an emergency admin cannot be demoted while single sign-on becomes required', async () => {
  const boss = await newOrganization(app);
  const second = await newMember(app, boss, 'ORGADMIN');
  const { orgId } = boss.user;
  await app.owner.query(
    `with c as (insert into sso_connections (id, org_id, kind, name, enabled_at,
          issuer, client_id, client_secret_sealed)
        values (gen_random_uuid(), $1, 'oidc', 'Sign-on', now(), 'https://idp.example', 'c', 's')
        returning id)
      insert into sso_domains (id, org_id, domain, token, verified_at, connection_id)
        select gen_random_uuid(), $1, 'emergency.example', 't', now(), c.id from c`,
    [orgId],
  );
  const agent = await newMember(app, boss, 'AGENT');
  const breakGlass = [second.user.id];
  await boss.send('PUT', '/api/sso/policy', { required: false, breakGlass });
  // The request has chosen the emergency admin, and waits for a session that it ends.
  const release = await hold(
    'select 1 from sessions where account_id = $1 for update',
    agent.user.id,
  );
  const requiring = boss.send('PUT', '/api/sso/policy', { required: true, breakGlass });
  await waitingForLocks(app, 1);
  const demoting = boss.send('PUT', `/api/users/${second.user.id}/role`, { role: 'AGENT' });
  await waitingForLocks(app, 2);
  await release();
  expect(await requiring).toMatchObject({ status: 200 });
  expect(await demoting).toMatchObject({ status: 409, body: { code: 'no_break_glass' } });
});

test('the identity provider’s role is compared with the current role, not the one read before the lock', async () => {
  const boss = await newOrganization(app);
  const { id, orgId } = boss.user;
  if (orgId === null) throw new Error('The organization is missing');
  const tenant = tenantOf(app.services.database, { kind: 'system', name: 'sso', orgId }, null);
  const asserted = { mapped: 'VIEWER' as const, askedAt: new Date() };
  // The role read was AGENT; the account has become the only admin since.
  expect(await tenant.transaction((tx) => syncRole(tx, id, 'AGENT', asserted))).toBe('ORGADMIN');
  expect(await rolesIn(orgId)).toEqual(['ORGADMIN']);
});

test('an account that founds an organization concurrently is not deleted as an account without one', async () => {
  const loner = await newOrganization(app);
  const { id, orgId } = loner.user;
  await app.owner.query(
    "select set_config('app.kept_session', id::text, false) from sessions where account_id = $1",
    [id],
  );
  await app.owner.query('delete from memberships where account_id = $1', [id]);
  // Inserts a membership, as founding an organization does.
  const release = await hold(
    `insert into memberships (org_id, account_id, role) values ($1, $2, 'ORGADMIN')`,
    orgId,
    id,
  );
  const deleting = loner.send('POST', '/api/user/delete', {
    email: loner.user.email,
    password: 'correct horse',
  });
  await waitingForLocks(app, 1);
  await release();
  expect(await deleting).toMatchObject({ status: 409, body: { code: 'joined_meanwhile' } });
  expect(await rolesIn(orgId)).toEqual(['ORGADMIN']);
});
