import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { emptyPages } from '#server/testing/built-pages.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { paceFiles } from './paced-files.ts';

const megabyte = 1024 * 1024;
const { pagesDir, remove } = emptyPages();
writeFileSync(join(pagesDir, 'assets', 'large.wasm'), Buffer.alloc(megabyte));
writeFileSync(join(pagesDir, 'assets', 'small.js'), Buffer.alloc(63 * 1024, ' '));

let app: TestApp;
let http: FastifyInstance;
beforeAll(async () => {
  // 4 MB at once, and 4 MB a second.
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.125' });
});
beforeEach(async () => {
  http = await buildApp(app.services, { pagesDir });
});
afterEach(() => http.close());
afterAll(async () => {
  await app.close();
  remove();
});

const flood = '192.0.2.1';
const guest = '192.0.2.2';
const get = async (name: string, options: InjectOptions = {}) => {
  const url = `/assets/${name}`;
  const { statusCode, rawPayload } = await http.inject({ url, remoteAddress: flood, ...options });
  return { status: statusCode, bytes: rawPayload.length };
};
const together = <T>(count: number, ask: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, ask));
const msOf = async (work: () => Promise<unknown>) => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

test('R6-8: large files are sent at a bounded rate, and arrive whole', async () => {
  let answers: Awaited<ReturnType<typeof get>>[] = [];
  const ms = await msOf(async () => {
    answers = await together(10, () => get('large.wasm'));
  });
  expect(answers).toEqual(Array(10).fill({ status: 200, bytes: megabyte }));
  expect(ms).toBeGreaterThan(1400);
});

test('R6-8: an address that asks for many large files keeps no other waiting for more than a turn', async () => {
  let isOver = false;
  const all = together(16, () => get('large.wasm')).then(() => {
    isOver = true;
  });
  await sleep(100);
  const ms = await msOf(() => get('large.wasm', { remoteAddress: guest }));
  expect(ms).toBeLessThan(1500);
  expect(isOver).toBe(false);
  await all;
});

test('R6-8: a small file, a HEAD request, and one for a file that the browser has do not wait', async () => {
  const { headers } = await http.inject({ method: 'HEAD', url: '/assets/large.wasm' });
  expect(headers['content-length']).toBe(String(megabyte));
  const known = { headers: { 'if-none-match': String(headers.etag) } };
  let isOver = false;
  const all = together(12, () => get('large.wasm')).then(() => {
    isOver = true;
  });
  await sleep(100);
  expect(await get('small.js')).toMatchObject({ status: 200 });
  expect(await get('large.wasm', { method: 'HEAD' })).toMatchObject({ status: 200 });
  expect(await get('large.wasm', known)).toMatchObject({ status: 304 });
  expect(isOver).toBe(false);
  await all;
});

test('R6-8: a request for a part of a file counts with that part', async () => {
  const part = { headers: { range: 'bytes=0-65535' } };
  const ms = await msOf(async () => {
    const answers = await together(40, () => get('large.wasm', part));
    expect(answers).toEqual(Array(40).fill({ status: 206, bytes: 64 * 1024 }));
    // Of these nothing counts.
    await together(40, () => get('large.wasm', { method: 'HEAD' }));
    await together(40, () => get('large.wasm', { headers: { range: 'bytes=0-9' } }));
    await get('large.wasm');
  });
  expect(ms).toBeLessThan(4000);
});

test('R6-8: a wait ends with its connection, and costs nothing', async () => {
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }));
  const request = 'GET /assets/large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect(Number(port), '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    socket.write(request.repeat(5));
    return socket;
  });
  await sleep(300);
  for (const socket of sockets) socket.destroy();
  await sleep(100);
  // Eleven seconds, had the others kept their places.
  expect(await msOf(() => get('large.wasm', { remoteAddress: '127.0.0.1' }))).toBeLessThan(3000);
});

test('a file that cannot be read any more once its turn has come is answered 500', async () => {
  const bytes = 64 * 1024;
  const site = Fastify();
  // 64 KB at once, and 64 KB a second.
  paceFiles(site, readConfig({ RATE_LIMIT_SCALE: '0.002' }));
  site.get('/good', async (_request, reply) =>
    reply.header('content-length', bytes).send(Readable.from([Buffer.alloc(bytes)])),
  );
  site.get('/bad', async (_request, reply) => {
    const file = new Readable({ read: () => undefined });
    setTimeout(() => file.destroy(new Error('gone')), 50);
    return reply.header('content-length', bytes).send(file);
  });
  expect((await site.inject('/good')).statusCode).toBe(200);
  expect((await site.inject('/bad')).statusCode).toBe(500);
  await site.close();
});
