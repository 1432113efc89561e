import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundChunks } from './bounded-chunks.ts';

let http: FastifyInstance;
/** How often each request's body was handed on. */
let pieces: number[];
beforeEach(async () => {
  http = Fastify({ bodyLimit: 2 * 1024 * 1024 });
  boundChunks(http);
  pieces = [];
  http.server.prependListener('request', (request: IncomingMessage) => {
    const at = pieces.push(0) - 1;
    const push = request.push.bind(request);
    request.push = (chunk, encoding) => {
      if (chunk !== null) pieces[at] = (pieces[at] ?? 0) + 1;
      return push(chunk, encoding);
    };
  });
  http.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  );
  http.post('/refused', { onRequest: (_, reply) => void reply.code(403).send() }, () => 'read');
  http.post('/', ({ body }) => ({ bytes: Buffer.isBuffer(body) ? body.length : 0 }));
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => http.close());

const head = (length: number, more = '') =>
  `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ncontent-length: ${length}\r\n${more}\r\n`;

/** Sends it at once. @returns all that is answered until the server closes, which may not have read all of it */
async function send(...parts: (string | Buffer)[]): Promise<string> {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  socket.on('data', (part) => {
    answers += part;
  });
  socket.on('error', () => undefined);
  socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
  await new Promise((resolve) => socket.once('close', resolve));
  return answers;
}

const megabyte = 1024 * 1024;

test('R26-B4: a body of known length is handed on in few pieces', async () => {
  expect(await send(head(megabyte, 'connection: close\r\n'), Buffer.alloc(megabyte))).toContain(
    `{"bytes":${megabyte}}`,
  );
  // 128 pieces of 8 KB before.
  expect(pieces[0]).toBeLessThan(100);
});

test('R26-B4: a request behind a long body is read apart from it', async () => {
  const last = Buffer.alloc(100_000, 1);
  const answers = await send(
    head(megabyte),
    Buffer.alloc(megabyte),
    head(10),
    Buffer.alloc(10),
    head(last.length, 'connection: close\r\n'),
    last,
  );
  expect(answers.match(/"bytes":\d+/g)).toEqual([
    `"bytes":${megabyte}`,
    '"bytes":10',
    '"bytes":100000',
  ]);
});

const get = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const inChunks =
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n';

test('R31-A1: a connection that sends empty lines in place of requests is closed', async () => {
  const lines = (bytes: number) => '\r\n'.repeat(bytes / 2);
  expect(await send(lines(16_000), get)).toContain('404 Not Found');
  expect(await send(lines(60_000), get)).toBe('');
  const kept = get.replace('close', 'keep-alive');
  const answers = await send(kept, lines(16_000), kept, lines(16_000), get);
  expect(answers.match(/404 Not Found/g)).toHaveLength(3);
  expect(await send(kept, lines(60_000), get)).not.toContain('Connection: close');
});

test('R31-A2: a connection whose chunk has an endless size is closed', async () => {
  const sized = (zeros: number) =>
    send(inChunks, 'connection: close\r\n\r\n', `${'0'.repeat(zeros)}5\r\nhello\r\n0\r\n\r\n`);
  expect(await sized(16_000)).toContain('{"bytes":5}');
  expect(await sized(60_000)).toBe('');
});

test('a long body in chunks of a kilobyte, after another one, is read', async () => {
  const body = `400\r\n${'x'.repeat(1024)}\r\n`.repeat(1024);
  const one = `${inChunks}\r\n${body}0\r\n\r\n`;
  const last = `${inChunks}connection: close\r\n\r\n${body}0\r\n\r\n`;
  const answers = await send(one, one, last);
  expect(answers.match(/"bytes":\d+/g)).toEqual(Array(3).fill(`"bytes":${megabyte}`));
});

test('what follows a body that nobody reads is cut as before any other request', async () => {
  let parsed = 0;
  http.server.on('request', (request: IncomingMessage) => {
    const push = request.push.bind(request);
    request.push = (chunk, encoding) => {
      parsed += 1;
      return push(chunk, encoding);
    };
  });
  const refused = head(100_000).replace('POST /', 'POST /refused');
  const tiny = `${inChunks}connection: close\r\n\r\n${'1\r\nx\r\n'.repeat(9_000)}0\r\n\r\n`;
  const answers = await send(refused, Buffer.alloc(100_000), tiny);
  expect(answers).toContain('403 Forbidden');
  // One piece holds 1,365 of them, and 64 KB would hold all.
  expect(parsed).toBeGreaterThan(256);
  expect(parsed).toBeLessThan(3_000);
});
