import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#domain/audit/contract.ts';
import { login } from '#domain/auth/contract.ts';
import * as team from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

let count = 0;
const address = () => `invited-${++count}@example.com`;
const person = { password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
const tokenOf = (url: string) => url.split('/').at(-1) ?? '';
const accept = (url: string, email: string) =>
  new Visitor(app).send('POST', `/api/invitations/${tokenOf(url)}/accept`, { ...person, email });

test('an invited person accepts by the link, gets the role, and signs in', async () => {
  const admin = await newOrganization(app);
  const email = address();
  const sent = await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  expect(await new Visitor(app).send('GET', `/api/invitations/${tokenOf(sent.url)}`)).toMatchObject(
    {
      status: 200,
      body: { email },
    },
  );
  expect(await accept(sent.url, email)).toMatchObject({
    status: 201,
    body: { email, role: 'AGENT', orgId: admin.user.orgId },
  });
  const member = new Visitor(app);
  await member.call(login, { body: { email, password: person.password } });
  expect(await admin.call(team.listInvitations)).toEqual([]);
  expect((await admin.call(team.listUsers)).map((user) => user.email)).toContain(email);
  const query = '?action=INVITATION_ACCEPTED';
  expect(await admin.call(listAuditEvents, { query })).toMatchObject([
    {
      entity: 'invitation',
      entityId: sent.id,
      actor: { kind: 'user', name: 'Grace Hopper' },
      metadata: { role: 'AGENT' },
    },
  ]);
});

test('attack 40: of twelve concurrent acceptances one succeeds, the others get 410', async () => {
  const admin = await newOrganization(app);
  const email = address();
  const { url } = await admin.call(team.inviteUser, { body: { email, role: 'VIEWER' } });
  const answers = await Promise.all(Array.from({ length: 12 }, () => accept(url, email)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(11);
  expect(await accept(url, email)).toMatchObject({ status: 410 });
});

test('attack 16: accepting with an address other than the invited one is refused, naming the field', async () => {
  const admin = await newOrganization(app);
  const { url } = await admin.call(team.inviteUser, { body: { email: address(), role: 'AGENT' } });
  expect(await accept(url, 'eve@example.com')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'email' }] },
  });
});

test('attack 17: an invitation to an address with an account does not change its password', async () => {
  const admin = await newOrganization(app);
  const other = await newOrganization(app);
  const { url } = await admin.call(team.inviteUser, {
    body: { email: other.user.email, role: 'AGENT' },
  });
  expect(await accept(url, other.user.email)).toMatchObject({ status: 409 });
  const body = { email: other.user.email, password: 'correct horse' };
  expect(await new Visitor(app).send('POST', '/api/login', body)).toMatchObject({ status: 200 });
});

test('attack 15: canceling, inviting again, and resending each invalidate the old link', async () => {
  const admin = await newOrganization(app);
  const email = address();
  const invite = () => admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  const first = await invite();
  const second = await invite();
  const third = await admin.call(team.resendInvitation, { params: { id: second.id } });
  await expect(accept(first.url, email)).resolves.toMatchObject({ status: 410 });
  await expect(accept(second.url, email)).resolves.toMatchObject({ status: 404 });
  await admin.call(team.cancelInvitation, { params: { id: third.id } });
  await expect(accept(third.url, email)).resolves.toMatchObject({ status: 410 });
});

test('attack 15: an expired link answers 410', async () => {
  const admin = await newOrganization(app);
  const email = address();
  const { url, id } = await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  await app.owner.query(
    "update invitations set expires_at = now() - interval '1 second' where id = $1",
    [id],
  );
  expect(await accept(url, email)).toMatchObject({ status: 410 });
});

test('an admin changes roles and removes members, whose accounts stay without an organization', async () => {
  const admin = await newOrganization(app);
  const member = await newMember(app, admin, 'AGENT');
  const path = `/api/users/${member.user.id}`;
  expect(await admin.send('PUT', `${path}/role`, { role: 'VIEWER' })).toMatchObject({
    status: 200,
    body: { role: 'VIEWER' },
  });
  expect(await member.send('POST', '/api/rooms', { topic: 'T' })).toMatchObject({ status: 403 });
  expect(await admin.send('DELETE', path)).toMatchObject({ status: 204 });
  expect(await member.send('GET', '/api/user')).toMatchObject({ status: 401 });
  await member.call(login, { body: { email: member.user.email, password: 'correct horse' } });
  expect(await member.send('GET', '/api/user')).toMatchObject({
    status: 200,
    body: { orgId: null, role: null },
  });
  expect(await member.send('GET', '/api/rooms')).toMatchObject({ status: 403 });
});

test('an admin cannot make a super admin, and cannot leave an organization without an admin', async () => {
  const admin = await newOrganization(app);
  const second = await newMember(app, admin, 'ORGADMIN');
  const body = { email: address(), role: 'SUPERADMIN' };
  expect(await admin.send('POST', '/api/users/invite', body)).toMatchObject({ status: 403 });
  const promote = await admin.send('PUT', `/api/users/${second.user.id}/role`, {
    role: 'SUPERADMIN',
  });
  expect(promote).toMatchObject({ status: 403 });
  const ownRole = await admin.send('PUT', `/api/users/${admin.user.id}/role`, { role: 'AGENT' });
  expect(ownRole).toMatchObject({ status: 409 });
  const both = await Promise.all([
    admin.send('DELETE', `/api/users/${second.user.id}`),
    second.send('DELETE', `/api/users/${admin.user.id}`),
  ]);
  expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
});

test('an invitation is mailed with a link that accepts it, and the mail is kept until it is sent', async () => {
  const admin = await newOrganization(app);
  const email = address();
  await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  const { rows } = await app.owner.query(
    'select body_text, sent_at from mails where recipient = $1',
    [email],
  );
  expect(rows).toMatchObject([{ sent_at: null }]);
  const mailed = /http:\S+\/invite\/\S+/.exec(rows[0].body_text)?.[0] ?? '';
  expect(await accept(mailed, email)).toMatchObject({ status: 201, body: { email } });
});

test('R9-6: an admin can change 300 roles in ten minutes, and may then still remove members', async () => {
  const strict = await openTestApp({ RATE_LIMIT_SCALE: '0.1' });
  try {
    const admin = await newOrganization(strict);
    const member = await newMember(strict, admin, 'AGENT');
    const change = (role: string) =>
      admin.send('PUT', `/api/users/${member.user.id}/role`, { role });
    for (let n = 0; n < 30; n += 1) {
      expect(await change(n % 2 ? 'AGENT' : 'VIEWER')).toMatchObject({ status: 200 });
    }
    expect(await change('VIEWER')).toMatchObject({
      status: 429,
      body: { code: 'too_many_role_changes' },
    });
    expect(await admin.send('DELETE', `/api/users/${member.user.id}`)).toMatchObject({
      status: 204,
    });
  } finally {
    await strict.close();
  }
});
