import { afterEach, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

async function tries(
  count: number,
  headers: (attempt: number) => Record<string, string>,
  path = '/api/forgot-password',
) {
  const visitor = new Visitor(app as TestApp);
  const body = { email: 'victim@example.com', password: 'a guess' };
  const replies = [];
  for (let attempt = 0; attempt < count; attempt += 1) {
    replies.push(await visitor.send('POST', path, body, headers(attempt)));
  }
  return replies;
}

test('of 40 sign-ins to one account with a rotating X-Forwarded-For, five are not throttled', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '1' });
  const from = (attempt: number) => ({
    'x-forwarded-for': `198.51.100.${attempt}`,
    forwarded: `for=198.51.100.${attempt}`,
    'x-real-ip': `198.51.100.${attempt}`,
  });
  const replies = await tries(40, from, '/api/login');
  const statuses = replies.map((reply) => reply.status);
  expect(statuses.slice(0, 6)).toEqual([...Array(5).fill(401), 429]);
  // On a slow machine a second passes, and one more attempt is allowed.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(30);
  const { headers, body } = replies.find(({ status }) => status === 429) ?? {};
  expect(Number(headers?.['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers?.['retry-after'])).toBeLessThanOrEqual(60);
  expect(body).toMatchObject({
    status: 429,
    title: 'Too Many Requests',
    message: expect.stringMatching(/^Too many attempts\. Please wait \d+ seconds/),
  });
});

test('a retry after the time in Retry-After is allowed', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.1' });
  vi.useFakeTimers({ toFake: ['Date'] });
  const [, , third] = await tries(3, () => ({}));
  expect(third?.status).toBe(429);
  expect(Number(third?.headers['retry-after']), 'the rest of ten minutes').toBeLessThanOrEqual(600);
  vi.setSystemTime(Date.now() + Number(third?.headers['retry-after']) * 1000);
  expect((await tries(1, () => ({})))[0]?.status).toBe(204);
});

test('behind a trusted proxy each address has its own limit', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.1', TRUSTED_PROXIES: '127.0.0.1' });
  const replies = await tries(6, (attempt) => ({ 'x-forwarded-for': `198.51.100.${attempt}` }));
  expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(204));
  const same = await tries(3, () => ({ 'x-forwarded-for': '203.0.113.9' }));
  expect(same.map((reply) => reply.status)).toEqual([204, 204, 429]);
});

test('registration is rate-limited', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.05' });
  const register = (email: string) =>
    new Visitor(app as TestApp).send('POST', '/api/register', {
      email,
      password: 'correct horse',
      firstName: 'A',
      lastName: 'B',
    });
  expect(await register('one@example.com')).toMatchObject({ status: 201 });
  expect(await register('two@example.com')).toMatchObject({ status: 429 });
});

test('R13-6: erasures are limited for each account, also of guests who never were there', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.1' });
  const ada = await newOrganization(app);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { status } = await ada.send('POST', '/api/privacy/erase', { guest: 'nobody' });
    statuses.push(status);
  }
  expect(statuses).toEqual([404, 404, 404, 429]);
});

test('addresses of one IPv6 /64 share a limit, and another /64 has its own', async () => {
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.1', TRUSTED_PROXIES: '127.0.0.1' });
  const from = (network: string) => (attempt: number) => ({
    'x-forwarded-for': `${network}::${attempt + 1}`,
  });
  const same = await tries(3, from('2001:db8:0:1'));
  expect(same.map((reply) => reply.status)).toEqual([204, 204, 429]);
  expect((await tries(1, from('2001:db8:0:2')))[0]?.status).toBe(204);
});
