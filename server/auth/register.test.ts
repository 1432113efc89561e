import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const person = (email: string) => ({
  email,
  password: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
});
const register = (body: unknown, visitor = new Visitor(app)) =>
  visitor.send('POST', '/api/register', body);
const one = async (sql: string, value: unknown) => (await app.owner.query(sql, [value])).rows[0];

test('without a name, the organization is named after the person, who is its admin and signed in', async () => {
  const visitor = new Visitor(app);
  const { status, body } = await register(person('ada@example.com'), visitor);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    profileImageUrl: null,
    language: null,
    mustVerifyEmail: true,
    mustSetUpTwoFactor: false,
    role: 'ORGADMIN',
    orgId: expect.any(String),
  });
  const { orgId } = body as { orgId: string };
  const organization = await visitor.send('GET', `/api/organizations/${orgId}`);
  expect(organization.body).toEqual({
    id: orgId,
    name: "Ada Lovelace's team",
    brandColor: '#2563eb',
    plan: 'starter',
    logoUrl: null,
  });
  expect((await visitor.send('GET', '/api/user')).body).toEqual(body);
  expect((await visitor.send('GET', '/api/auth/user')).body).toEqual(body);
});

test('an organization takes the name given at registration', async () => {
  const { body } = await register({ ...person('named@example.com'), orgName: '  Acme  ' });
  const { orgId } = body as { orgId: string };
  expect(await one('select name from organizations where id = $1', orgId)).toEqual({
    name: 'Acme',
  });
});

test('case and spaces around an address do not create a second account', async () => {
  expect(await register(person(' Grace@Example.COM '))).toMatchObject({
    status: 201,
    body: { email: 'grace@example.com' },
  });
  for (const again of ['grace@example.com', 'GRACE@EXAMPLE.COM\t']) {
    expect(await register(person(again))).toMatchObject({
      status: 409,
      body: { message: 'This email already has an account. Sign in instead.' },
    });
  }
  // Other spellings of an address (a trailing dot, a dotless i) are refused, not stored beside it.
  for (const spelling of ['grace@example.com.', 'grace@example.c\u0131m', 'gr\u0130ce@example.com'])
    expect(await register(person(spelling))).toMatchObject({ status: 400 });
  expect(
    await one("select count(*)::int as n from accounts where email like $1 || '%'", 'gr'),
  ).toEqual({ n: 1 });
});

test('ten concurrent registrations of one address create one account', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => register(person('race@example.com'))),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(
    await one(
      'select count(*)::int as n from memberships m join accounts a on a.id = m.account_id where email = $1',
      'race@example.com',
    ),
  ).toEqual({ n: 1 });
});

test.each([
  [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
  [{ email: undefined }, 'email', 'Please enter a valid email address'],
  [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
  [{ firstName: ' ' }, 'firstName', 'First name is required'],
  [{ firstName: undefined }, 'firstName', 'First name is required'],
  [{ lastName: '' }, 'lastName', 'Last name is required'],
])('%j is refused with the message of the spec', async (wrong, path, message) => {
  const reply = await register({ ...person('field@example.com'), ...wrong });
  expect(reply).toMatchObject({
    status: 400,
    body: { status: 400, title: 'Bad Request', message, errors: [{ path, message }] },
  });
  expect(reply.headers['content-type']).toMatch('application/problem+json');
});

test('extra fields of a registration set no role, ID, organization, or plan', async () => {
  const victim = (await register(person('victim@example.com'))).body as Record<string, string>;
  const extras = {
    role: 'SUPERADMIN',
    orgId: victim.orgId,
    id: victim.id,
    plan: 'enterprise',
    emailVerifiedAt: new Date().toISOString(),
  };
  const { body } = await register({ ...person('eve@example.com'), ...extras });
  const eve = body as Record<string, string>;
  expect(eve.role).toBe('ORGADMIN');
  expect(eve.id).not.toBe(victim.id);
  expect(eve.orgId).not.toBe(victim.orgId);
  expect(await one('select plan from organizations where id = $1', eve.orgId)).toEqual({
    plan: 'starter',
  });
  expect(await one('select email_verified_at from accounts where id = $1', eve.id)).toEqual({
    email_verified_at: null,
  });
});

test('the password is stored only as a hash', async () => {
  await register(person('hash@example.com'));
  const { password_hash: hash } = await one(
    'select password_hash from accounts where email = $1',
    'hash@example.com',
  );
  expect(hash).toMatch(/^\$argon2id\$/);
});

test('SIGNUP=closed refuses registration', async () => {
  const closed = await openTestApp({ SIGNUP: 'closed' });
  try {
    const reply = await new Visitor(closed).send('POST', '/api/register', person('c@example.com'));
    expect(reply).toMatchObject({ status: 403, body: { code: 'signup_closed' } });
  } finally {
    await closed.close();
  }
});

test('a common password is accepted, and the answer warns about it', async () => {
  const common = await register({ ...person('common@example.com'), password: 'Password1' });
  expect(common).toMatchObject({ status: 201, headers: { 'x-password-warning': 'common' } });
  const own = await register({ ...person('own@example.com'), password: 'seven purple otters' });
  expect(own.headers['x-password-warning']).toBe(undefined);
});
