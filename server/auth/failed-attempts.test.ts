import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlock } from '#server/operator/unlock.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { forgetOldAttempts } from './failed-attempts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '10.9.9.9' });
});
afterAll(() => app.close());

let networks = 0;
/** Signs in from an unused address, because many tests share 127.0.0.1. */
function stranger() {
  networks += 1;
  const remoteAddress = `192.0.2.${networks}`;
  return async (email: string, password = 'not that one', headers: Record<string, string> = {}) => {
    const reply = await app.http.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email, password },
      remoteAddress,
      headers,
    });
    const { date: _, 'x-request-id': __, 'retry-after': wait, ...rest } = reply.headers;
    return { status: reply.statusCode, wait: Number(wait), rest, body: reply.body };
  };
}
const attempts = async (count: number, make: () => Promise<{ status: number }>) => {
  const statuses = [];
  for (let turn = 0; turn < count; turn += 1) statuses.push((await make()).status);
  return statuses;
};
/** Shifts the stored times, as if this many seconds had passed. */
const later = (seconds: number) =>
  app.owner.query(
    `update failed_tries set free_at = free_at - make_interval(secs => $1),
      counted_at = counted_at - make_interval(secs => $1)`,
    [seconds],
  );

test('attack 23: 40 attempts with a rotating X-Forwarded-For end in 429 with Retry-After', async () => {
  const from = stranger();
  let turn = 0;
  const statuses = await attempts(40, () => {
    turn += 1;
    return from(`nobody-${turn}@example.com`, 'not that one', {
      'x-forwarded-for': `203.0.113.${turn}`,
    });
  });
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
  expect(statuses.slice(20)).toContain(429);
  expect((await from('another@example.com')).wait).toBeGreaterThan(0);
});

test('attack 22: after five attempts, known and unknown emails wait equally and get the same answer', async () => {
  const ada = await newOrganization(app);
  const [a, b] = [stranger(), stranger()];
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await a(ada.user.email)).toEqual(await b('nobody@example.com'));
  }
  const [known, unknown] = [await a(ada.user.email), await b('nobody@example.com')];
  expect(known).toMatchObject({ status: 429, wait: 1 });
  expect(unknown).toEqual(known);
});

test('waits double up to 15 minutes and expire, so that no account is locked out for good', async () => {
  const ada = await newOrganization(app);
  const { email } = ada.user;
  await attempts(5, () => stranger()(email));
  const waits = [];
  for (let turn = 0; turn < 13; turn += 1) {
    const { status, wait } = await stranger()(email, 'correct horse');
    expect(status, 'the right password waits, too').toBe(429);
    waits.push(wait);
    await later(wait + 0.5);
    expect((await stranger()(email)).status).toBe(401);
  }
  const growing = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900];
  // Some attempts are forgotten during the longer waits.
  for (const [turn, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(growing[turn] ?? 0);
  expect(waits.slice(0, 7)).toEqual(growing.slice(0, 7));
  await later(901);
  expect((await stranger()(email, 'correct horse')).status).toBe(200);
  expect((await stranger()(email)).status, 'and all is forgotten').toBe(401);
});

test('concurrent attempts are counted separately: only five of twenty pass', async () => {
  const ada = await newOrganization(app);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await stranger()(ada.user.email)).status),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
});

test('concurrent attempts of different people at one address do not make each other wait', async () => {
  const from = stranger();
  const statuses = await Promise.all(
    Array.from({ length: 15 }, async (_, n) => (await from(`office-${n}@example.com`)).status),
  );
  expect(statuses).toEqual(Array(15).fill(401));
});

test('sign-ins that succeed do not make later ones at the same address wait', async () => {
  const office = await Promise.all([1, 2, 3].map(() => newOrganization(app)));
  const from = stranger();
  for (const { user } of office) {
    const statuses = await attempts(8, () => from(user.email, 'correct horse'));
    expect(statuses).toEqual(Array(8).fill(200));
  }
});

test('attempts by an attacker do not throttle a browser that the account has signed in from', async () => {
  const ada = await newOrganization(app);
  await attempts(7, () => stranger()(ada.user.email));
  expect((await stranger()(ada.user.email, 'correct horse')).status).toBe(429);
  await ada.send('POST', '/api/logout');
  const body = { email: ada.user.email, password: 'correct horse' };
  expect(await ada.send('POST', '/api/login', body)).toMatchObject({ status: 200 });
  const thief = new Visitor(app);
  thief.others.set('rapport_device', '01900000-0000-7000-8000-000000000000.AAAA');
  expect(await thief.send('POST', '/api/login', body)).toMatchObject({ status: 429 });
});

test('the operator can unlock an account', async () => {
  const ada = await newOrganization(app);
  await attempts(6, () => stranger()(ada.user.email));
  expect(await unlock(app.services.database, ` ${ada.user.email.toUpperCase()}`)).toContain(
    'can sign in again',
  );
  expect((await stranger()(ada.user.email, 'correct horse')).status).toBe(200);
  await expect(unlock(app.services.database, 'nobody@example.com')).rejects.toThrow(/Nobody has/);
});

test('the operator also unlocks a browser that the account has signed in from', async () => {
  const ada = await newOrganization(app);
  await ada.send('POST', '/api/logout');
  const signIn = (password: string) =>
    ada.send('POST', '/api/login', { email: ada.user.email, password });
  await attempts(11, () => signIn('not that one'));
  expect((await signIn('correct horse')).status).toBe(429);
  await unlock(app.services.database, ada.user.email);
  expect((await signIn('correct horse')).status).toBe(200);
});

test('six requests for a reset mail send three, and all get the same answer', async () => {
  const ada = await newOrganization(app);
  for (let turn = 0; turn < 6; turn += 1) {
    const visitor = new Visitor(app);
    const reply = await visitor.send('POST', '/api/forgot-password', { email: ada.user.email });
    expect(reply).toMatchObject({ status: 204 });
  }
  const queued = async () =>
    (await app.owner.query('select 1 from mails where recipient = $1', [ada.user.email])).rowCount;
  await expect.poll(queued).toBeGreaterThanOrEqual(3);
  expect(await queued()).toBeLessThanOrEqual(4);
});

test('R21-57: right passwords of an account are compared twelve times, and then once in ten seconds', async () => {
  const ada = await newOrganization(app);
  const statuses = await attempts(16, () => stranger()(ada.user.email, 'correct horse'));
  expect(statuses.slice(0, 12)).toEqual(Array(12).fill(200));
  expect(statuses.at(-1)).toBe(429);
  const another = await newOrganization(app);
  expect((await stranger()(another.user.email, 'correct horse')).status).toBe(200);
});

test('the cleanup forgets attempts after a day, and none that are younger', async () => {
  await app.owner.query('delete from failed_tries');
  await stranger()('somebody@example.com');
  const left = async () => (await app.owner.query('select 1 from failed_tries')).rowCount;
  await later(86_000);
  await forgetOldAttempts(app.services.database);
  expect(await left(), 'of the address and of the email').toBe(2);
  await later(401);
  await forgetOldAttempts(app.services.database);
  expect(await left()).toBe(0);
});
