import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createRoom, openRoom } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp({ ALLOWED_HOSTS: 'calls.lan, Other.LAN' });
  url = await app.listen();
});
afterAll(() => app.close());

const foreign = [
  'evil.test',
  'evil.test:80',
  'localhost.evil.test',
  'evil.test:80/x"><b>@localhost',
  'localhost@evil.test',
  'localhost:80:80',
  'localhost:x',
  '127.1',
  '0x7f000001',
  '[::1]evil',
  '[evil]',
  'xn--e1awd7f.test',
];
const accepted = [
  'localhost',
  'LOCALHOST:3000',
  '127.0.0.1:1',
  '203.0.113.7',
  '[::1]:3000',
  '[2001:db8::7]',
  'calls.lan:8443',
  'other.lan',
];

const statusAt = async (path: string, host: string, given: TestApp = app) =>
  (await given.http.inject({ url: path, headers: { host } })).statusCode;

/** Uses a real connection because inject and fetch set the Host header themselves. */
const statusOverTcp = (path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const target = `${url.replace(/^ws/, 'http')}${path}`;
    get(target, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

const upgrade = (host: string, path = '/ws') =>
  new Promise<number | 'open' | undefined>((resolve) => {
    const socket = new WebSocket(`${url}${path}`, { headers: { host } });
    socket.once('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.once('unexpected-response', (request, answer) => {
      // Resolve only after the server has closed the socket. Otherwise closing the server in the
      // test would wait for it.
      request.socket?.once('close', () => resolve(answer.statusCode));
      answer.resume();
    });
    socket.once('error', () => undefined);
  });

test.each(foreign)('a request to the Host %s is answered 421 on every path', async (host) => {
  for (const path of ['/healthz', '/api/login', '/api/nothing', '/nothing', '/api/rooms/%E0%A4%A'])
    expect([path, await statusAt(path, host)]).toEqual([path, 421]);
  const refused = await app.http.inject({
    method: 'POST',
    url: '/api/forgot-password',
    headers: { host },
    payload: { email: 'ada@example.com' },
  });
  expect(refused.statusCode).toBe(421);
  expect(refused.headers['content-type']).toMatch('application/problem+json');
  expect(refused.json()).toMatchObject({
    status: 421,
    code: 'unknown_host',
    message: expect.stringMatching(/PUBLIC_URL.*ALLOWED_HOSTS/),
  });
  expect(refused.payload).not.toContain('evil');
});

test.each(accepted)('a request to the Host %s is served', async (host) => {
  expect(await statusAt('/healthz', host)).toBe(200);
});

test('WebSocket upgrades and real connections follow the same rule', async () => {
  expect(await upgrade('evil.test')).toBe(421);
  expect(await upgrade('evil.test', '/ws/%ff')).toBe(421);
  expect(await upgrade('calls.lan', '/ws/%ff')).toBe(404);
  expect(await upgrade('calls.lan:9999')).toBe('open');
  expect(await statusOverTcp('/healthz', { host: 'evil.test' })).toBe(421);
  expect(await statusOverTcp('/healthz', { host: 'calls.lan' })).toBe(200);
});

test('requests to other Hosts are refused for pages and files as for the API', async () => {
  const pages = emptyPages();
  const site = await buildApp(app.services, { pagesDir: pages.pagesDir });
  for (const path of ['/', '/auth', '/robots.txt', '/join/x', '/no-such-page'])
    expect((await site.inject({ url: path, headers: { host: 'evil.test' } })).statusCode).toBe(421);
  await site.close();
  pages.remove();
});

test('X-Forwarded-Host is used only from TRUSTED_PROXIES, and must be an accepted host', async () => {
  const forwarded = { host: 'localhost', 'x-forwarded-host': 'evil.test' };
  const behind = await openTestApp({
    PUBLIC_URL: 'https://calls.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const at = async (given: TestApp, headers: Record<string, string>) =>
    (await given.http.inject({ url: '/healthz', headers })).statusCode;
  expect(await at(app, forwarded)).toBe(200);
  expect(await at(behind, forwarded)).toBe(421);
  const own = { host: 'evil.test', 'x-forwarded-host': 'calls.example.com' };
  expect(await at(behind, own)).toBe(200);
  expect(await at(app, own)).toBe(421);
  await behind.close();
});

test('the host of PUBLIC_URL is served on every port, other names are not', async () => {
  const site = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  expect(await statusAt('/healthz', 'calls.example.com', site)).toBe(200);
  expect(await statusAt('/healthz', 'Calls.Example.com:8080', site)).toBe(200);
  expect(await statusAt('/healthz', '10.0.0.7:3000', site)).toBe(200);
  expect(await statusAt('/healthz', 'calls.lan', site)).toBe(421);
  await site.close();
});

test('links and dailyUrl use PUBLIC_URL, whichever accepted host the request names', async () => {
  const site = await openTestApp({
    PUBLIC_URL: 'https://calls.example.com',
    ALLOWED_HOSTS: 'calls.lan',
  });
  const ada = await newOrganization(site);
  const room = await ada.call(createRoom, { body: { topic: 'Review' } });
  const opened = await ada.send('GET', openRoom.path.replace(':id', room.id), undefined, {
    host: 'calls.lan',
  });
  expect(opened.body).toMatchObject({
    dailyUrl: expect.stringMatching(/^https:\/\/calls\.example\.com\//),
  });
  const body = { email: ada.user.email };
  await ada.send('POST', '/api/forgot-password', body, { host: 'calls.lan' });
  await expect
    .poll(async () => {
      await sendDueMails(site.services);
      return site.mails.find(({ to }) => to === ada.user.email)?.text;
    })
    .toContain('https://calls.example.com/reset-password/');
  await site.close();
});
