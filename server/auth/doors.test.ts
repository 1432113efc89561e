import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteUser } from '#domain/team/contract.ts';
import { listInstallation } from '#server/operator/list-installation.ts';
import { resetAccount } from '#server/operator/reset-account.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

const person = (email: string) => ({
  email,
  password: 'correct horse',
  firstName: 'Grace',
  lastName: 'Hopper',
});
test('a mailed link verifies a new account; until then it cannot invite people', async () => {
  const grace = new Visitor(app);
  const made = await grace.send('POST', '/api/register', person('grace@example.com'));
  expect(made).toMatchObject({ status: 201, body: { mustVerifyEmail: true } });
  const invite = () =>
    grace.send('POST', '/api/users/invite', { email: 'x@example.com', role: 'AGENT' });
  expect(await invite()).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  await runningCall(grace);
  const token = await mailedToken(app, 'grace@example.com', 'verify-email');
  const kept = await app.owner.query('select * from email_verifications');
  expect(JSON.stringify(kept.rows)).not.toContain(token);
  for (const turn of ['followed', 'followed again']) {
    const reply = await grace.send('POST', `/api/verify-email/${token}`);
    expect([turn, reply.status]).toEqual([turn, 200]);
  }
  expect(await grace.send('GET', '/api/user')).toMatchObject({ body: { mustVerifyEmail: false } });
  expect(await invite()).toMatchObject({ status: 201 });
});

test('a verification link works for a day, and a new one can be requested', async () => {
  const hedy = new Visitor(app);
  await hedy.send('POST', '/api/register', person('hedy@example.com'));
  const first = await mailedToken(app, 'hedy@example.com', 'verify-email');
  await app.owner.query("update email_verifications set expires_at = now() - interval '1 second'");
  const follow = (token: string) => new Visitor(app).send('POST', `/api/verify-email/${token}`);
  expect(await follow(first)).toMatchObject({ status: 410 });
  expect(await follow('forged')).toMatchObject({ status: 404 });
  expect(await hedy.send('POST', '/api/user/verify-email')).toMatchObject({ status: 204 });
  const next = await mailedToken(app, 'hedy@example.com', 'verify-email', 2);
  expect(next).not.toBe(first);
  expect(await follow(next)).toMatchObject({ status: 200 });
});

test('an account without a mailed verification link is not asked to verify its address', async () => {
  const ada = await newOrganization(app);
  await app.owner.query('update accounts set email_verified_at = null where id = $1', [
    ada.user.id,
  ]);
  await app.owner.query('delete from email_verifications where account_id = $1', [ada.user.id]);
  expect(await ada.send('GET', '/api/user')).toMatchObject({ body: { mustVerifyEmail: false } });
});

test.each([
  ['invite', 403, 'signup_by_invitation', 201],
  ['closed', 403, 'signup_closed', 403],
])(
  'SIGNUP=%s: registering answers %i %s, accepting an invitation answers %i',
  async (signup, status, code, accepted) => {
    const ada = await newOrganization(app);
    const { url } = await ada.call(inviteUser, {
      body: { email: `${signup}@example.com`, role: 'AGENT' },
    });
    const { config } = app.services;
    const before = config.SIGNUP;
    config.SIGNUP = signup === 'invite' ? 'invite' : 'closed';
    try {
      const reply = await new Visitor(app).send('POST', '/api/register', person('z@example.com'));
      expect(reply).toMatchObject({ status, body: { code } });
      const path = `/api/invitations/${url.split('/').at(-1)}/accept`;
      const body = person(`${signup}@example.com`);
      expect((await new Visitor(app).send('POST', path, body)).status).toBe(accepted);
    } finally {
      config.SIGNUP = before;
    }
  },
);

test('a role change rotates the session token with the next answer; requests in flight stay valid', async () => {
  const ada = await newOrganization(app);
  const agent = await newMember(app, ada, 'AGENT');
  const { cookie } = agent;
  await ada.send('PUT', `/api/users/${agent.user.id}/role`, { role: 'VIEWER' });
  const both = await Promise.all([agent.send('GET', '/api/user'), agent.send('GET', '/api/user')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(agent.cookie).not.toBe(cookie);
  expect(await agent.send('GET', '/api/user')).toMatchObject({ body: { role: 'VIEWER' } });
  const late = Object.assign(new Visitor(app), { cookie });
  expect(await late.send('GET', '/api/user')).toMatchObject({ status: 200 });
  await app.owner.query('update sessions set previous_until = now()');
  expect(await late.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('a SUPERADMIN cannot see the content of other organizations', async () => {
  const ada = await newOrganization(app);
  const { room, call, playbook } = await runningCall(ada);
  const home = await newOrganization(app);
  const operator = await newMember(app, home, 'SUPERADMIN');
  for (const path of [
    `/api/rooms/${room.id}`,
    `/api/calls/${call.id}`,
    `/api/playbooks/${playbook.id}`,
    `/api/organizations/${ada.user.orgId}`,
  ])
    expect([path, (await operator.send('GET', path)).status]).toEqual([path, 404]);
  for (const path of [
    '/api/rooms',
    '/api/calls',
    '/api/playbooks',
    '/api/users',
    '/api/audit-events',
  ]) {
    const seen = JSON.stringify((await operator.send('GET', path)).body);
    for (const id of [room.id, call.id, playbook.id, ada.user.id]) expect(seen).not.toContain(id);
  }
  const kick = await operator.send('PUT', `/api/users/${ada.user.id}/role`, { role: 'VIEWER' });
  expect(kick.status).toBe(404);
});

test('the operator can print a reset link that works once, and a list without content', async () => {
  const ada = await newOrganization(app);
  const database = app.openOwnerDatabase();
  const said = await resetAccount(database, ada.user.email, 'https://calls.example.com');
  const token = /reset-password\/(\S+)/.exec(said)?.[1];
  const reply = await new Visitor(app).send('POST', `/api/reset-password/${token}`, {
    password: 'battery staple',
  });
  expect(reply).toMatchObject({ status: 200 });
  const { rows } = await app.owner.query(
    'select action, actor_kind from audit_events where org_id = $1 order by id desc limit 2',
    [ada.user.orgId],
  );
  expect(rows).toEqual([
    { action: 'PASSWORD_RESET', actor_kind: 'user' },
    { action: 'RESET_LINK_CREATED', actor_kind: 'system' },
  ]);
  expect(await listInstallation(database)).toMatch(/^\d+ organizations, \d+ accounts/);
  await database.close();
});
