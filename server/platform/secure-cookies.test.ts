import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

/** Returns every cookie set by sign-in, sign-out, a second factor, SSO, a language, and a guest link. */
async function cookiesOf(given: TestApp) {
  const ada = await newOrganization(given);
  const room = await ada.call(createRoom, { body: { topic: 'Review' } });
  const { url } = await ada.call(readGuestLink, { params: { id: room.id } });
  await given.owner.query(
    `insert into totp_factors (account_id, sealed_secret, confirmed_at) values ($1, '\\x00', now())`,
    [ada.user.id],
  );
  const requests: [string, string, object?][] = [
    ['POST', '/api/login', { email: ada.user.email, password: 'correct horse' }],
    ['PUT', '/api/user', { language: 'de' }],
    ['PUT', '/api/user', { language: null }],
    ['GET', `/api/join/${url.split('/').at(-1)}`],
    ['POST', '/api/sso/start', { email: 'ada@corp.example' }],
    ['POST', '/api/logout'],
  ];
  const answers = [];
  for (const [method, path, payload] of requests) {
    const sent = { method: method as 'POST', url: path, headers: { cookie: ada.cookie } };
    answers.push(await given.http.inject({ ...sent, ...(payload ? { payload } : {}) }));
  }
  const pages = emptyPages();
  const site = await buildApp(given.services, { pagesDir: pages.pagesDir });
  answers.push(await site.inject('/?lang=de'));
  await site.close();
  pages.remove();
  return answers.flatMap(({ cookies }) => cookies);
}

test('every cookie is Secure where PUBLIC_URL is https, even if an untrusted proxy uses http', async () => {
  const cookies = await cookiesOf(app);
  const names = new Set(cookies.map(({ name }) => name));
  expect([...names]).toEqual(
    expect.arrayContaining(['rapport_session', 'rapport_pending', 'rapport_guest']),
  );
  expect(cookies.filter(({ secure }) => !secure)).toEqual([]);
});

test('without an https address, cookies work over http', async () => {
  const plain = await openTestApp();
  const cookies = await cookiesOf(plain);
  expect(cookies.length).toBeGreaterThan(3);
  expect(cookies.filter(({ secure }) => secure)).toEqual([]);
  await plain.close();
});
