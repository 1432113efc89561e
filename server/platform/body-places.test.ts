import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultBodyLimit } from '#domain/contract.ts';
import { buildApp } from '#server/app.ts';
import { fakeMediaServer } from '#server/testing/fake-media-server.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import {
  endStalled,
  expectAnswer,
  expectOneRefused,
  stall,
} from '#server/testing/stalled-request.ts';
import { newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { takesPlace } from './body-places.ts';
import { boundBodies } from './bounded-bodies.ts';

let app: TestApp;
let port: number;
/** A server that gives bodies a hundredth of their usual time. */
let hasty: FastifyInstance;
let hastyPort: number;
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
  port = Number(new URL(await app.listen()).port);
  hasty = await buildApp(app.services, { pagesDir: null, bodyPatienceMs: 300 });
  hastyPort = Number(new URL(await hasty.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(async () => {
  await hasty.close();
  await app.close();
});

afterEach(endStalled);

test('R7-11: every route that takes more than 16 KB takes a place, webhooks included', async () => {
  const routes: RouteOptions[] = [];
  const video = {
    ...fakeMediaServer('livekit').video,
    name: 'daily' as const,
    joins: 'webhook' as const,
  };
  const onRoute = (route: RouteOptions) => void routes.push(route);
  const whole = await buildApp({ ...app.services, video }, { pagesDir: null, onRoute });
  await whole.close();
  const taking = routes.filter(({ bodyLimit }) => (bodyLimit ?? 0) > defaultBodyLimit);
  const nameOf = ({ method, url }: RouteOptions) => `${method} ${url}`;
  expect(taking.map(nameOf)).toEqual(
    expect.arrayContaining([
      'POST /api/contact',
      'POST /api/user/picture',
      'POST /api/webhooks/daily',
      'POST /api/webhooks/livekit',
      'POST /sso/saml/:id/acs',
      'PUT /scim/v2/Groups/:id',
    ]),
  );
  expect(taking.filter((route) => !takesPlace(route)).map(nameOf)).toEqual([]);
});

test('R7-11: a route that takes more than 16 KB without a place cannot be registered', async () => {
  const http = Fastify();
  boundBodies(http, app.services);
  const register = (bodyLimit: number) => http.post(`/${bodyLimit}`, { bodyLimit }, async () => '');
  register(defaultBodyLimit);
  expect(() => register(defaultBodyLimit + 1)).toThrow(/takes a place/);
  await http.close();
});

const contactFrom = (address: string) => [
  'POST /api/contact HTTP/1.1',
  `X-Forwarded-For: ${address}`,
  'Content-Type: application/json',
  'Content-Length: 20000',
];

test('R7-11: of the medium bodies of one network, four are read and fifty wait', async () => {
  // All of one network of a subscriber (/48).
  const all = Array.from({ length: 55 }, (_, n) => stall(port, contactFrom(`2001:db8:1:${n}::1`)));
  await expectOneRefused(all);
  const other = stall(port, contactFrom('2001:db8:2::1'), `{${' '.repeat(19_998)}}`);
  await expectAnswer(other, 400);
});

test('R7-11: unfinished short bodies of one network are cut past 4 MB, and of no other', async () => {
  const login = (address: string) => [
    'POST /api/login HTTP/1.1',
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/json',
    `Content-Length: ${defaultBodyLimit}`,
  ];
  const other = stall(port, login('203.0.113.2'));
  const all = Array.from({ length: 257 }, () => stall(port, login('203.0.113.1')));
  const cut = () => all.filter(({ socket }) => socket.destroyed).length;
  await expect.poll(cut, { timeout: 10_000 }).toBe(1);
  other.socket.write(' '.repeat(defaultBodyLimit));
  await expectAnswer(other, 400);
});

const callOf = async (person: Awaited<ReturnType<typeof newOrganization>>) =>
  `/api/calls/${(await runningCall(person)).call.id}`;

test('R7-11: of the medium bodies of one organization, four are read and fifty wait', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const path = await callOf(ada);
  const head = [
    `PUT ${path} HTTP/1.1`,
    `Cookie: ${ada.cookie}`,
    'Content-Type: application/json',
    'Content-Length: 60000',
  ];
  await expectOneRefused(Array.from({ length: 55 }, () => stall(port, head)));
  const medium = { notesSnapshot: 'x'.repeat(40_000) };
  expect((await ben.send('PUT', await callOf(ben), medium)).status).toBe(200);
  const long = { notesSnapshot: 'x'.repeat(100_000) };
  expect((await ada.send('PUT', path, long)).status, 'long ones have other places').toBe(200);
});

const uploadHead = ({ cookie }: Pick<Visitor, 'cookie'>) => [
  'POST /api/user/picture HTTP/1.1',
  `Cookie: ${cookie}`,
  'Content-Type: multipart/form-data; boundary=b',
  'Content-Length: 1900000',
];
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

test('R7-13: of an organization’s unfinished uploads, one is read and fifty wait', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const all = Array.from({ length: 52 }, () => stall(port, uploadHead(ada), part));
  await expectOneRefused(all);
  const large = Buffer.alloc(300_000, smallPng);
  const form = fileForm(Uint8Array.from(large));
  expect((await ben.send('POST', '/api/user/picture', form)).status).toBe(200);
  const notes = { notesSnapshot: 'x'.repeat(100_000) };
  expect((await ada.send('PUT', await callOf(ada), notes)).status, 'beside an upload').toBe(200);
});

test('an upload without a session is refused before it is read', async () => {
  const head = uploadHead({ cookie: 'rapport_session=none' });
  const held = stall(port, head, part);
  await expectAnswer(held, 401);
});

test('R7-13: an upload that stalls ends with 408', async () => {
  const held = stall(hastyPort, uploadHead(await newOrganization(app)), part);
  await expectAnswer(held, 408);
});

test('R19-6: slow uploads that others wait for lose their places', async () => {
  // A tenth of the usual time: 160 KB a second suffice, and 1,280 while others wait.
  const brisk = await buildApp(app.services, { pagesDir: null, bodyPatienceMs: 3000 });
  const on = Number(new URL(await brisk.listen({ port: 0, host: '127.0.0.1' })).port);
  const people = await Promise.all(Array.from({ length: 18 }, () => newOrganization(app)));
  const ben = await newOrganization(app);
  const path = await callOf(ben);
  const slow = people.map((person) => stall(on, uploadHead(person), part));
  const sending = setInterval(() => {
    for (const { socket } of slow) socket.write(Buffer.alloc(16 * 1024, smallPng));
  }, 50);
  try {
    await expect.poll(() => slow.every(({ socket }) => socket.bytesWritten > 32_000)).toBe(true);
    const body = JSON.stringify({ notesSnapshot: 'x'.repeat(100_000) });
    const head = [
      `PUT ${path} HTTP/1.1`,
      `Cookie: ${ben.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    // Their 2 MB take six seconds. The first of Ben's may come before all of them have their places.
    const isOneCut = async () => {
      await expectAnswer(stall(on, head, body), 200);
      return slow.some(({ status }) => status === 408);
    };
    await expect.poll(isOneCut).toBe(true);
  } finally {
    clearInterval(sending);
    await brisk.close();
  }
});

test('a long upload at the minimum rate may take longer than another body', async () => {
  const file = Buffer.alloc(1_900_000 - part.length - '\r\n--b--\r\n'.length, smallPng);
  const body = Buffer.concat([Buffer.from(part), file, Buffer.from('\r\n--b--\r\n')]);
  const held = stall(hastyPort, uploadHead(await newOrganization(app)), body.subarray(0, -20));
  // Each of these ends when thirty checks are over.
  for (let n = 0; n < 2; n += 1) {
    const short = ['POST /api/login HTTP/1.1', 'Content-Type: application/json'];
    const late = stall(hastyPort, [...short, 'Content-Length: 100']);
    await expectAnswer(late, 408);
  }
  expect(held.status).toBe(0);
  held.socket.write(body.subarray(-20));
  await expectAnswer(held, 200);
});
