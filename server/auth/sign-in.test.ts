import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { verifiedHashes } from '#server/testing/verified-hashes.ts';
import { newOrganization, type Reply, signInAgain, Visitor } from '#server/testing/visitor.ts';
import { forgetSessions } from './sessions.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const login = (body: unknown, visitor = new Visitor(app)) =>
  visitor.send('POST', '/api/login', body);
const unauthorized = { status: 401, title: 'Unauthorized' };
const essence = ({ status, body, headers }: Reply) => {
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return { status, body, headers: rest };
};

test('a request without a session gets 401 with only status and title', async () => {
  for (const path of ['/api/user', '/api/auth/user', '/api/rooms']) {
    const reply = await new Visitor(app).send('GET', path);
    expect(reply).toMatchObject({ status: 401, headers: {} });
    expect(reply.body).toEqual(unauthorized);
    expect(reply.headers['content-type']).toMatch('application/problem+json');
  }
});

test('a wrong password and an unknown address get the same answer, with a message', async () => {
  const { user } = await newOrganization(app);
  const wrong = await login({ email: user.email, password: 'not that one' });
  const unknown = await login({ email: 'nobody@example.com', password: 'not that one' });
  expect(wrong).toMatchObject({ status: 401, body: { message: 'Invalid email or password' } });
  expect(essence(unknown)).toEqual(essence(wrong));
});

test('a password is compared for an unknown address, too, so that both take the same time', async () => {
  const { user } = await newOrganization(app);
  const before = verifiedHashes.length;
  await login({ email: user.email, password: 'not that one' });
  await login({ email: 'nobody@example.com', password: 'not that one' });
  // $argon2id$v=19$m=…,t=…,p=1$salt$hash
  const [known, unknown, ...more] = verifiedHashes.slice(before);
  const costOf = (hash = '') => hash.split('$').slice(1, 4);
  expect(known).toMatch(/^\$argon2id\$/);
  expect(costOf(unknown)).toEqual(costOf(known));
  expect(unknown).not.toBe(known);
  expect(more).toEqual([]);
});

test('signing in ignores the case of the address, and answers with the user', async () => {
  const { user } = await newOrganization(app);
  const reply = await login({ email: ` ${user.email.toUpperCase()} `, password: 'correct horse' });
  expect(reply).toMatchObject({ status: 200, body: user });
  const cookie = String(reply.headers['set-cookie']);
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
});

test('signing in makes a new session ID, and ends the preset session', async () => {
  const ada = await newOrganization(app);
  const preset = ada.cookie;
  await login({ email: ada.user.email, password: 'correct horse' }, ada);
  expect(ada.cookie).not.toBe(preset);
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 200 });
  const old = Object.assign(new Visitor(app), { cookie: preset });
  expect(await old.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('a session ID chosen by the visitor is not adopted', async () => {
  const { user } = await newOrganization(app);
  const fixed = Object.assign(new Visitor(app), { cookie: 'rapport_session=chosen-by-eve' });
  await login({ email: user.email, password: 'correct horse' }, fixed);
  expect(fixed.cookie).not.toContain('chosen-by-eve');
  const eve = Object.assign(new Visitor(app), { cookie: 'rapport_session=chosen-by-eve' });
  expect(await eve.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('the old cookie is invalid after signing out', async () => {
  const ada = await newOrganization(app);
  const { cookie } = ada;
  expect(await ada.send('POST', '/api/logout')).toMatchObject({ status: 204, body: '' });
  expect(ada.cookie).toBe('');
  const thief = Object.assign(new Visitor(app), { cookie });
  expect((await thief.send('GET', '/api/user')).body).toEqual(unauthorized);
});

test('signing out without a session succeeds, too', async () => {
  const visitor = new Visitor(app);
  expect(await visitor.send('POST', '/api/logout')).toMatchObject({ status: 204 });
});

test('an expired session is invalid', async () => {
  const ada = await newOrganization(app);
  await app.owner.query('update sessions set expires_at = now() where account_id = $1', [
    ada.user.id,
  ]);
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('a session that is unused for a week expires; use within the week keeps it', async () => {
  const ada = await newOrganization(app);
  const setSeen = (ago: string) =>
    app.owner.query(
      'update sessions set last_seen_at = now() - $2::interval where account_id = $1',
      [ada.user.id, ago],
    );
  await setSeen('6 days 23 hours');
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 200 });
  const { rows } = await app.owner.query(
    `select last_seen_at > now() - interval '1 minute' as fresh from sessions where account_id = $1`,
    [ada.user.id],
  );
  expect(rows).toEqual([{ fresh: true }]);
  await setSeen('7 days');
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('the cleanup deletes only sessions that expired by age or disuse', async () => {
  const [old, idle, used] = [
    await newOrganization(app),
    await newOrganization(app),
    await newOrganization(app),
  ];
  await app.owner.query('update sessions set expires_at = now() where account_id = $1', [
    old.user.id,
  ]);
  await app.owner.query(
    `update sessions set last_seen_at = now() - interval '7 days' where account_id = $1`,
    [idle.user.id],
  );
  await forgetSessions(app.services.database);
  const { rows } = await app.owner.query(
    'select account_id from sessions where account_id = any($1)',
    [[old.user.id, idle.user.id, used.user.id]],
  );
  expect(rows).toEqual([{ account_id: used.user.id }]);
});

test('the database stores only the hash of a session token', async () => {
  const ada = await newOrganization(app);
  const token = ada.cookie.split('=')[1] ?? '';
  const { rows } = await app.owner.query('select * from sessions where account_id = $1', [
    ada.user.id,
  ]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(rows[0].token_hash.includes(Buffer.from(token))).toBe(false);
});

test('attack 14: a person removed from the organization keeps the account and can read no data', async () => {
  const ada = await newOrganization(app);
  await app.owner.query('delete from memberships where account_id = $1', [ada.user.id]);
  expect(await ada.send('GET', '/api/user')).toMatchObject({ status: 401 });
  await signInAgain(ada);
  expect(await ada.send('GET', '/api/user')).toMatchObject({
    status: 200,
    body: { role: null, orgId: null },
  });
  expect(await ada.send('GET', '/api/rooms')).toMatchObject({
    status: 403,
    body: { code: 'no_organization' },
  });
});

test.each([
  ['', '/auth'],
  ['?next=/app/rooms', '/auth?next=%2Fapp%2Frooms'],
  ['?next=%2Fapp%3Fa%3D1%26b%3D2', '/auth?next=%2Fapp%3Fa%3D1%26b%3D2'],
  ['?next=//evil.example', '/auth'],
  ['?next=/%5Cevil.example', '/auth'],
  ['?next=%2F%09%2Fevil.example', '/auth'],
  ['?next=https://evil.example', '/auth'],
  ['?next=javascript:alert(1)', '/auth'],
  ['?next=/app&next=//evil.example', '/auth'],
])('GET /api/login%s leads to %s', async (query, location) => {
  const reply = await new Visitor(app).send('GET', `/api/login${query}`);
  expect(reply.status).toBe(302);
  expect(reply.headers.location).toBe(location);
});

test.each([
  { email: ['ada@example.com'], password: 'correct horse' },
  { email: { $ne: '' }, password: 'correct horse' },
  { email: 'ada@example.com', password: { $gt: '' } },
  { email: 'ada@example.com', password: ['correct horse'] },
  { email: 7, password: 1234567 },
  { email: true, password: null },
  { email: 'ada@example.com\0', password: 'correct horse' },
  { email: 'ada@example.com', password: 'correct\0horse' },
  { email: 'ada@example.com', password: 'x'.repeat(10_000) },
  [],
  'ada',
  null,
])('credentials like %j are refused and cause no server error', async (body) => {
  for (const path of ['/api/login', '/api/register']) {
    const payload = typeof body === 'object' ? { firstName: 'A', lastName: 'B', ...body } : body;
    const reply = await new Visitor(app).send('POST', path, JSON.stringify(payload), {
      'content-type': 'application/json',
    });
    expect(reply.status).toBe(400);
  }
});

test('signing out with the token before the last rotation ends the session', async () => {
  const ada = await newOrganization(app);
  await app.owner.query('update sessions set rotate = true where account_id = $1', [ada.user.id]);
  const before = ada.cookie;
  await ada.send('GET', '/api/user');
  const next = ada.cookie;
  expect(next).not.toBe(before);
  ada.cookie = before;
  expect((await ada.send('POST', '/api/logout')).status).toBe(204);
  for (const cookie of [before, next]) {
    ada.cookie = cookie;
    expect((await ada.send('GET', '/api/user')).status).toBe(401);
  }
});

test.each([
  ['was last seen long ago', "last_seen_at = now() - interval '6 minutes'"],
  ['is to get another token', 'rotate = true'],
])(
  'R4-3: a request of a session that %s does not wait for a lock on the session',
  async (_name, change) => {
    const ada = await newOrganization(app);
    await app.owner.query(`update sessions set ${change} where account_id = $1`, [ada.user.id]);
    await app.owner.query('begin');
    try {
      await app.owner.query('select 1 from sessions where account_id = $1 for update', [
        ada.user.id,
      ]);
      expect((await ada.send('GET', '/api/user')).status).toBe(200);
    } finally {
      await app.owner.query('rollback');
    }
    const before = { cookie: ada.cookie, seen: await lastSeen(ada.user.id) };
    await ada.send('GET', '/api/user');
    expect({ cookie: ada.cookie, seen: await lastSeen(ada.user.id) }).not.toEqual(before);
  },
);

async function lastSeen(account: string): Promise<Date> {
  const found = await app.owner.query(
    'select last_seen_at as at from sessions where account_id = $1',
    [account],
  );
  return found.rows[0].at;
}

test('R5-7: an account has at most a hundred sessions and devices; a sign-in ends the oldest', async () => {
  const { user } = await newOrganization(app);
  await app.owner.query(
    `insert into sessions (id, token_hash, account_id, created_at, expires_at, method)
      select gen_random_uuid(), sha256(n::text::bytea || uuid_send($1)), $1,
        now() - interval '1 hour' - n * interval '1 second', now() + interval '30 days', 'password'
      from generate_series(1, 150) n`,
    [user.id],
  );
  await app.owner.query(
    `insert into account_devices (account_id, device_id, last_seen_at)
      select $1, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, 150)`,
    [user.id],
  );
  expect((await login({ email: user.email, password: 'correct horse' })).status).toBe(200);
  const { rows } = await app.owner.query(
    `select (select count(*)::int from sessions where account_id = $1) as sessions,
      (select count(*)::int from sessions where account_id = $1 and created_at > now() - interval '1 minute') as new,
      (select count(*)::int from account_devices where account_id = $1) as devices`,
    [user.id],
  );
  expect(rows).toEqual([{ sessions: 100, new: 2, devices: 100 }]);
});
