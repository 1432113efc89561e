import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrganization, readOrganization } from '#domain/organizations/contract.ts';
import {
  changePassword,
  endOtherSessions,
  listSessions,
  updateProfile,
} from '#domain/profile/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, signInAgain, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganization>>;

const signIn = async (email: string, password = 'correct horse') => {
  const visitor = new Visitor(app);
  const reply = await visitor.send('POST', '/api/login', { email, password });
  return Object.assign(visitor, { reply });
};
const lastEvent = async (orgId: string | null) =>
  (
    await app.owner.query(
      'select action, entity, entity_id, metadata from audit_events where org_id = $1 order by id desc limit 1',
      [orgId],
    )
  ).rows[0];

/** A person who was removed from their organization. */
async function removed(): Promise<Person> {
  const admin = await newOrganization(app);
  const member = await newMember(app, admin, 'AGENT');
  await admin.call(removeUser, { params: { id: member.user.id } });
  await signInAgain(member);
  return member;
}

test('people can change their own name, with an audit event that lists the fields without values', async () => {
  const ada = await newOrganization(app);
  const changed = await ada.call(updateProfile, { body: { firstName: ' Augusta ' } });
  expect(changed).toEqual({ ...ada.user, firstName: 'Augusta' });
  expect(await ada.send('GET', '/api/user')).toMatchObject({ body: changed });
  expect(await lastEvent(ada.user.orgId)).toMatchObject({
    action: 'PROFILE_UPDATED',
    entity: 'account',
    entity_id: ada.user.id,
    metadata: { fields: ['firstName'] },
  });
});

test('role, orgId, id, and plan in a profile are ignored', async () => {
  const ben = await newOrganization(app);
  const agent = await newMember(app, await newOrganization(app), 'AGENT');
  const sent = { role: 'SUPERADMIN', orgId: ben.user.orgId, id: ben.user.id, plan: 'enterprise' };
  const extra = { email: 'taken@example.com', profileImageUrl: 'https://evil.example/x.png' };
  const reply = await agent.send('PUT', '/api/user', { ...sent, ...extra, lastName: 'New' });
  const expected = { ...agent.user, lastName: 'New' };
  expect(reply).toMatchObject({ status: 200, body: expected });
  expect(await agent.send('GET', '/api/user')).toMatchObject({ body: expected });
});

test.each([
  [{ firstName: ' ' }, 'firstName', 'First name is required'],
  [{ lastName: '' }, 'lastName', 'Last name is required'],
  [{ firstName: 'x'.repeat(101) }, 'firstName', 'Please use at most 100 characters'],
  [{ language: 'fr' }, 'language', 'Please choose a language'],
])('%j is refused, naming the field', async (body, path, message) => {
  const ada = await newOrganization(app);
  const reply = await ada.send('PUT', '/api/user', body);
  expect(reply).toMatchObject({ status: 400, body: { message, errors: [{ path, message }] } });
});

test('the chosen language belongs to the account: signing in elsewhere applies it to that browser', async () => {
  const ada = await newOrganization(app);
  expect(ada.user.language).toBe(null);
  const reply = await ada.send('PUT', '/api/user', { language: 'de' });
  expect(reply).toMatchObject({ status: 200, body: { language: 'de' } });
  expect(String(reply.headers['set-cookie'])).toMatch(
    /^rapport_language=de; Max-Age=31536000; Path=\//,
  );
  const elsewhere = await signIn(ada.user.email);
  expect(elsewhere.reply.body).toMatchObject({ language: 'de' });
  expect(String(elsewhere.reply.headers['set-cookie'])).toContain('rapport_language=de');
  const taken = await ada.send('PUT', '/api/user', { language: null });
  expect(String(taken.headers['set-cookie'])).toContain('rapport_language=; ');
});

test('a new password needs the current one, and ends only the other sessions', async () => {
  const ada = await newOrganization(app);
  const other = await signIn(ada.user.email);
  const wrong = { currentPassword: 'not it', newPassword: 'battery staple' };
  expect(await ada.send('PUT', '/api/user/password', wrong)).toMatchObject({
    status: 400,
    body: { code: 'wrong_password', errors: [{ path: 'currentPassword' }] },
  });
  // R19-11: it counts like a wrong one at a sign-in.
  expect(await lastEvent(ada.user.orgId)).toMatchObject({
    action: 'SIGN_IN_FAILED',
    metadata: { reason: 'wrong_password' },
  });
  expect(
    await ada.send('PUT', '/api/user/password', { ...wrong, newPassword: '12345' }),
  ).toMatchObject({
    status: 400,
    body: { message: 'Password must be at least 6 characters' },
  });
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 200 });

  const body = { currentPassword: 'correct horse', newPassword: 'battery staple' };
  await ada.call(changePassword, { body });
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 200 });
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await lastEvent(ada.user.orgId)).toMatchObject({ action: 'PASSWORD_UPDATED' });
  expect((await signIn(ada.user.email)).reply.status).toBe(401);
  expect((await signIn(ada.user.email, 'battery staple')).reply.status).toBe(200);
});

test('R23-A5: a new password ends the reset links that were mailed before', async () => {
  const ada = await newOrganization(app);
  const { email } = ada.user;
  await ada.send('POST', '/api/forgot-password', { email });
  const token = await mailedToken(app, email, 'reset-password');
  const body = { currentPassword: 'correct horse', newPassword: 'battery staple' };
  await ada.call(changePassword, { body });
  expect(
    await ada.send('POST', `/api/reset-password/${token}`, { password: 'of mallory' }),
  ).toMatchObject({ status: 410 });
  expect((await signIn(email, 'battery staple')).reply.status).toBe(200);
});

test('after ten wrong attempts at the current password the session is throttled', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  const ada = await newOrganization(strict);
  const guess = { currentPassword: 'wrong', newPassword: 'battery staple' };
  const statuses = [];
  for (let turn = 0; turn < 11; turn += 1)
    statuses.push((await ada.send('PUT', '/api/user/password', guess)).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
  await strict.close();
});

test('people see their own sessions, and can end all except the current one', async () => {
  const ada = await newOrganization(app);
  const other = await signIn(ada.user.email);
  const stranger = await newOrganization(app);
  const shown = await ada.call(listSessions);
  expect(shown.map(({ current }) => current)).toEqual([false, true]);
  expect(JSON.stringify(shown)).not.toMatch(/token|hash/i);
  await ada.call(endOtherSessions);
  expect(await ada.call(listSessions)).toEqual([expect.objectContaining({ current: true })]);
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await stranger.send('GET', '/api/user')).toMatchObject({ status: 200 });
  expect(await lastEvent(ada.user.orgId)).toMatchObject({ action: 'SESSIONS_REMOVED' });
});

test('a removed member keeps the account, and can create an organization', async () => {
  const bo = await removed();
  expect(await bo.send('GET', '/api/rooms')).toMatchObject({
    status: 403,
    body: { code: 'no_organization' },
  });
  await bo.call(updateProfile, { body: { firstName: 'Bo' } });
  expect(await bo.send('POST', '/api/organizations', { name: ' ' })).toMatchObject({
    status: 400,
    body: { message: 'Organization name is required' },
  });
  const made = await bo.call(createOrganization, { body: { name: 'Bo & Sons' } });
  expect(made).toMatchObject({ name: 'Bo & Sons', brandColor: '#2563eb', plan: 'starter' });
  expect(await bo.send('GET', '/api/user')).toMatchObject({
    body: { firstName: 'Bo', role: 'ORGADMIN', orgId: made.id },
  });
  expect(await bo.call(readOrganization, { params: { orgId: made.id } })).toEqual(made);
  expect(await lastEvent(made.id)).toMatchObject({ action: 'ORGANIZATION_CREATED' });
});

test('a member of an organization cannot create a second one, even by concurrent requests', async () => {
  const ada = await newOrganization(app);
  expect(await ada.send('POST', '/api/organizations', { name: 'Two' })).toMatchObject({
    status: 409,
    body: { code: 'already_in_organization' },
  });
  const bo = await removed();
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => bo.send('POST', '/api/organizations', { name: 'Once' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const { rows } = await app.owner.query(
    "select count(*)::int from organizations where name in ('Once', 'Two')",
  );
  expect(rows).toEqual([{ count: 1 }]);
});
