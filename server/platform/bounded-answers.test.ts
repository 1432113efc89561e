import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { boundAnswers } from './bounded-answers.ts';
import { boundPipelining } from './bounded-pipelining.ts';

/** More than the kernel buffers for a client that does not read. */
const long = 'x'.repeat(12 * 1024 * 1024);
let http: FastifyInstance;
const sockets: Socket[] = [];
let yielded = 0;
let handled = 0;
function* lines() {
  for (; yielded < 1000; yielded += 1) yield 'line\n';
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close();
});

/** @param everyMs the interval that counts as one second of the client */
async function serve(everyMs: number, env: Record<string, string> = {}): Promise<number> {
  http = Fastify({ forceCloseConnections: true });
  boundPipelining(http);
  boundAnswers(http, readConfig(env), everyMs);
  http.get('/long', async (_request, reply) => reply.type('text/plain').send(long));
  http.get('/short', async () => {
    handled += 1;
    return 'short';
  });
  http.get('/stream', async (_request, reply) =>
    reply.type('text/csv').send(Readable.from(lines())),
  );
  return Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

function open(port: number, text = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(text);
  sockets.push(socket);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('an answer that is not read ends with its connection', async () => {
  const port = await serve(5);
  for (let n = 0; n < 2; n += 1) open(port, get('/long'));
  await expect.poll(connections).toBe(2);
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
});

test('a client that reads 16 KB a second gets the whole answer', async () => {
  const everyMs = 5;
  const port = await serve(everyMs);
  const socket = open(port, get('/long'));
  let taken = 0;
  const timer = setInterval(() => {
    const part: Buffer | null = socket.read(16 * 1024) ?? socket.read();
    taken += part?.length ?? 0;
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
  await expect.poll(() => taken, { timeout: 30_000 }).toBeGreaterThan(long.length);
  clearInterval(timer);
}, 40_000);

test('a long answer has a Content-Length, and HEAD answers the same', async () => {
  const port = await serve(1000);
  const said = await fetch(`http://127.0.0.1:${port}/long`);
  expect(said.headers.get('content-length')).toBe(String(long.length));
  expect((await said.text()).length).toBe(long.length);
  const head = await fetch(`http://127.0.0.1:${port}/long`, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(long.length));
});

test('the content of a stream is not read for HEAD', async () => {
  const port = await serve(1000);
  const head = await fetch(`http://127.0.0.1:${port}/stream`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv']);
  expect(yielded).toBe(0);
});

test('unread answers of one address hold 32 MB at most, and its next request is answered', async () => {
  const port = await serve(60_000);
  for (let n = 0; n < 10; n += 1) open(port, get('/long'));
  await expect.poll(connections).toBe(2);
  expect(await (await fetch(`http://127.0.0.1:${port}/short`)).text()).toBe('short');
});

test('a connection that pipelines more than ten requests is closed', async () => {
  const port = await serve(60_000);
  open(port, get('/long') + get('/short').repeat(9));
  await expect.poll(connections).toBe(1);
  const closed = open(port, get('/long') + get('/short').repeat(10)).resume();
  await new Promise((over) => closed.once('close', over));
  expect(await connections()).toBe(1);
});

test('R21-51: of requests that come together, those beyond the tenth are not handled', async () => {
  const port = await serve(60_000);
  handled = 0;
  const closed = open(port, get('/short').repeat(60)).resume();
  await new Promise((over) => closed.once('close', over));
  // One more round trip, after all that was begun.
  const next = open(port, get('/short')).resume();
  await new Promise((answered) => next.once('data', answered));
  expect(handled).toBeLessThanOrEqual(11);
});
