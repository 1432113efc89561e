import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { boundChunks } from './bounded-chunks.ts';
import { boundPipelining } from './bounded-pipelining.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await openTestApp();
  port = Number(new URL((await app.listen()).replace('ws:', 'http:')).port);
});
afterAll(() => app.close());

/** Writes it at once, and waits until the server has closed. */
async function flood(one: string, times: number, to = port): Promise<void> {
  const socket = connect(to, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(one.repeat(times));
  await new Promise((closed) => socket.resume().once('close', closed));
}

const kinds: [string, () => string][] = [
  ['another host', () => 'GET / HTTP/1.1\r\nhost:x\r\n\r\n'],
  ['a malformed URL', () => `GET /%zz HTTP/1.1\r\nhost:127.0.0.1:${port}\r\n\r\n`],
  ['no host', () => 'GET / HTTP/1.1\r\n\r\n'],
  ['another expectation', () => `GET / HTTP/1.1\r\nhost:127.0.0.1:${port}\r\nexpect:x\r\n\r\n`],
  ['a page that is not there', () => `GET /none HTTP/1.1\r\nhost:127.0.0.1:${port}\r\n\r\n`],
];
test.each(kinds)(
  'R29-B4: a flood of requests for %s ends its connection, and no more',
  async (_, one) => {
    for (let round = 0; round < 5; round += 1) await flood(one(), 1500);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  },
);

test('R29-B5: of a flood no more than ten requests are handled, however early they are refused', async () => {
  const site = Fastify();
  boundPipelining(site);
  boundChunks(site);
  let handled = 0;
  site.addHook('onRequest', async (_request, reply) => {
    handled += 1;
    return reply.code(421).send();
  });
  try {
    const { port: own } = new URL(await site.listen({ port: 0, host: '127.0.0.1' }));
    await flood('GET / HTTP/1.1\r\nhost:x\r\n\r\n', 2400, Number(own));
  } finally {
    await site.close();
  }
  expect(handled).toBeLessThanOrEqual(10);
});

test.each([
  ['GET /healthz HTTP/1.1\r\n\r\n', '400'],
  ['GET /healthz HTTP/1.1\r\nhost: localhost\r\nexpect: x\r\n\r\n', '417'],
])('%s is refused with %i', async (head, status) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('ten requests that come together are all answered', async () => {
  const socket = connect(port, '127.0.0.1');
  const one = `GET /healthz HTTP/1.1\r\nhost:127.0.0.1:${port}\r\n`;
  socket.write(`${`${one}\r\n`.repeat(9)}${one}connection: close\r\n\r\n`);
  expect((await text(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(10);
});
