import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
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
import { boundAnswers } from './bounded-answers.ts';

const megabyte = 1024 * 1024;
const { pagesDir, remove } = emptyPages();
writeFileSync(join(pagesDir, 'assets', 'large.wasm'), Buffer.alloc(megabyte));
writeFileSync(join(pagesDir, 'assets', 'medium.wasm'), Buffer.alloc(256 * 1024));
writeFileSync(join(pagesDir, 'assets', 'small.js'), Buffer.alloc(63 * 1024, ' '));

let app: TestApp;
let http: FastifyInstance;
beforeAll(async () => {
  // 4 MB at once, and 4 MB a second.
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.25' });
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
  // 9.4 MB without the first 64 KB of each.
  expect(ms).toBeGreaterThan(1200);
});

test('R19-65: a range that a file does not have is refused with 416', async () => {
  for (const range of ['bytes=999999999-', 'bytes=70000-80000']) {
    const { statusCode } = await http.inject({ url: '/assets/small.js', headers: { range } });
    expect([range, statusCode]).toEqual([range, 416]);
  }
});

test('R19-52: so are long answers that no organization is charged for', async () => {
  const url = '/api/openapi.json';
  const { rawPayload } = await http.inject({ url });
  // 4 MB at once, and 4 MB a second.
  const count = Math.ceil((10 * megabyte) / rawPayload.length);
  const ms = await msOf(() => together(count, () => http.inject({ url, remoteAddress: flood })));
  expect(ms).toBeGreaterThan(1200);
  const [answer, hint] = await Promise.all([
    http.inject({ url, remoteAddress: flood }),
    http.inject({ url, method: 'HEAD' }),
  ]);
  expect(answer.rawPayload.equals(rawPayload)).toBe(true);
  for (const { headers } of [answer, hint])
    expect(headers['content-length']).toBe(String(rawPayload.length));
});

test('R6-8: an address that asks for many large files keeps no other waiting for more than a turn', async () => {
  let isOver = false;
  const all = together(16, () => get('large.wasm')).then(() => {
    isOver = true;
  });
  await sleep(100);
  await get('large.wasm', { remoteAddress: guest });
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

/** A server that sends 80 KB at once, and 320 KB a second: what costs too much there ends no test. */
async function listenSlowly() {
  const config = { ...app.services.config, RATE_LIMIT_SCALE: 0.02 };
  const slow = await buildApp({ ...app.services, config }, { pagesDir });
  const { port } = new URL(await slow.listen({ port: 0, host: '127.0.0.1' }));
  return { slow, port };
}

test('R7-1: requests that read only the beginning of a large file cost no more than they read', async () => {
  const { slow, port } = await listenSlowly();
  const request = 'GET /assets/large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const readBeginning = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
        .on('error', () => undefined)
        .once('data', () => socket.destroy())
        .once('close', () => resolve());
      socket.write(request);
    });
  await together(100, readBeginning);
  // Five minutes, had they cost the whole file.
  expect((await slow.inject('/assets/medium.wasm')).statusCode).toBe(200);
  await slow.close();
});

test('R6-8: a wait ends with its connection, and costs nothing', async () => {
  const { slow, port } = await listenSlowly();
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
  // Two and a half minutes, had the others kept their places.
  expect((await slow.inject('/assets/medium.wasm')).statusCode).toBe(200);
  await slow.close();
});

test('a file that cannot be read is answered 500', async () => {
  const site = Fastify();
  boundAnswers(site, readConfig({}));
  site.get('/bad', async (_request, reply) => {
    const file = new Readable({ read: () => undefined });
    setTimeout(() => file.destroy(new Error('gone')), 50);
    return reply.header('content-length', megabyte).send(file);
  });
  expect((await site.inject('/bad')).statusCode).toBe(500);
  await site.close();
});

test('R7-5: files that a route serves without an account have the same rate as those of the pages', async () => {
  const site = Fastify();
  // 64 KB at once, and 256 KB a second.
  boundAnswers(site, readConfig({ RATE_LIMIT_SCALE: '0.016' }));
  let sent = 0;
  site.get('/logo', async (_request, reply) =>
    reply.send(
      Readable.from(
        (function* logo() {
          for (; sent < 64; sent += 1) yield Buffer.alloc(64 * 1024);
        })(),
      ),
    ),
  );
  const { port } = new URL(await site.listen({ port: 0, host: '127.0.0.1' }));
  const abort = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/logo`, { signal: abort.signal });
  expect(answer.status).toBe(200);
  await sleep(500);
  // The free beginning, the burst, and what is read ahead.
  expect(sent).toBeLessThan(10);
  abort.abort();
  await site.close();
});

test('R7-14: requests of one address that nobody reads hold at most a hundred files open', async () => {
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }));
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('large.wasm');
      } catch {
        return false;
      }
    }).length;
  const request = 'GET /assets/large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const sockets = Array.from({ length: 30 }, () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(request.repeat(10));
    return socket;
  });
  await expect.poll(openFiles).toBeGreaterThan(20);
  expect(await get('small.js', { remoteAddress: guest })).toMatchObject({ status: 200 });
  expect(openFiles()).toBeLessThanOrEqual(100);
  for (const socket of sockets) socket.destroy();
  await expect.poll(openFiles).toBe(0);
  expect(await get('small.js', { remoteAddress: '127.0.0.1' })).toMatchObject({ status: 200 });
});
