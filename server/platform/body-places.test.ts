import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import { newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';

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

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Sends the head of a request and the beginning of its body, and collects the status of its answer. */
function stall(head: readonly string[], body: string | Buffer = '{', on = port) {
  const socket = connect(on, '127.0.0.1');
  const held = { socket, status: 0 };
  socket.on('error', () => undefined);
  socket.once('data', (answer) => {
    held.status = Number(String(answer).slice(9, 12));
  });
  socket.write(`${[...head, 'Host: localhost'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  open.push(socket);
  return held;
}
type Held = ReturnType<typeof stall>;

const stallMany = (count: number, head: readonly string[]) =>
  Array.from({ length: count }, () => stall(head));
/** Waits until one of the requests was refused because fifty others wait. */
const expectOneRefused = (all: Held[]) =>
  expect.poll(() => all.flatMap(({ status }) => status || []), { timeout: 10_000 }).toEqual([429]);

const contactFrom = (address: string) => [
  'POST /api/contact HTTP/1.1',
  `X-Forwarded-For: ${address}`,
  'Content-Type: application/json',
  'Content-Length: 20000',
];

test('R7-11: of the medium bodies of one network, four are read and fifty wait', async () => {
  // All of one network of a subscriber (/48).
  const all = Array.from({ length: 55 }, (_, n) => stall(contactFrom(`2001:db8:1:${n}::1`)));
  await expectOneRefused(all);
  const other = stall(contactFrom('2001:db8:2::1'), `{${' '.repeat(19_998)}}`);
  await expect.poll(() => other.status).toBe(400);
});

const callOf = async (person: Visitor) => {
  const { call } = await runningCall(person as Awaited<ReturnType<typeof newOrganization>>);
  return `/api/calls/${call.id}`;
};

test('R7-11: of the medium bodies of one organization, four are read and fifty wait', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const path = await callOf(ada);
  const head = [
    `PUT ${path} HTTP/1.1`,
    `Cookie: ${ada.cookie}`,
    'Content-Type: application/json',
    'Content-Length: 60000',
  ];
  await expectOneRefused(stallMany(55, head));
  const medium = { notesSnapshot: 'x'.repeat(40_000) };
  expect((await ben.send('PUT', await callOf(ben), medium)).status).toBe(200);
  const long = { notesSnapshot: 'x'.repeat(100_000) };
  expect((await ada.send('PUT', path, long)).status, 'long ones have other places').toBe(200);
});

const uploadHead = ({ cookie }: Visitor) => [
  'POST /api/user/picture HTTP/1.1',
  `Cookie: ${cookie}`,
  'Content-Type: multipart/form-data; boundary=b',
  'Content-Length: 1900000',
];
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';

test('R7-13: of an organization’s unfinished uploads, one is read and fifty wait', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const all = Array.from({ length: 52 }, () => stall(uploadHead(ada), part));
  await expectOneRefused(all);
  const large = Buffer.alloc(300_000, smallPng);
  const form = fileForm(Uint8Array.from(large));
  expect((await ben.send('POST', '/api/user/picture', form)).status).toBe(200);
  const notes = { notesSnapshot: 'x'.repeat(100_000) };
  expect((await ada.send('PUT', await callOf(ada), notes)).status, 'beside an upload').toBe(200);
});

test('an upload without a session is refused before it is read', async () => {
  const head = uploadHead({ cookie: 'rapport_session=none' } as Visitor);
  const held = stall(head, part);
  await expect.poll(() => held.status).toBe(401);
});

test('R7-13: an upload that stalls ends with 408', async () => {
  const held = stall(uploadHead(await newOrganization(app)), part, hastyPort);
  await expect.poll(() => held.status, { timeout: 4_000 }).toBe(408);
});

test('a long upload at the minimum rate may take longer than another body', async () => {
  const file = Buffer.alloc(1_900_000 - part.length - '\r\n--b--\r\n'.length, smallPng);
  const body = Buffer.concat([Buffer.from(part), file, Buffer.from('\r\n--b--\r\n')]);
  const held = stall(uploadHead(await newOrganization(app)), body.subarray(0, -20), hastyPort);
  // Each of these ends when thirty checks are over.
  for (let n = 0; n < 2; n += 1) {
    const short = ['POST /api/login HTTP/1.1', 'Content-Type: application/json'];
    const late = stall([...short, 'Content-Length: 100'], '{', hastyPort);
    await expect.poll(() => late.status, { timeout: 4_000 }).toBe(408);
  }
  expect(held.status).toBe(0);
  held.socket.write(body.subarray(-20));
  await expect.poll(() => held.status, { timeout: 4_000 }).toBe(200);
});
