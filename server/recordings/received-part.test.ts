import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { PassThrough } from 'node:stream';
import Fastify, { type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Received, receivedPart } from './received-part.ts';

const bodyLimit = 300_000;
const site = Fastify();
let origin: string;
beforeAll(async () => {
  site.addContentTypeParser('application/octet-stream', receivedPart);
  site.put<{ Body: Received }>('/', { bodyLimit }, async ({ body }) => ({
    bytes: Buffer.concat(body.chunks).toString('base64'),
    sizeBytes: body.sizeBytes,
    sha256: body.sha256.toString('hex'),
  }));
  origin = await site.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => site.close());

const headers = { 'content-type': 'application/octet-stream' };
const put = (bytes: Buffer) =>
  fetch(origin, { method: 'PUT', headers, body: Uint8Array.from(bytes) });

test('the chunks of a body are its bytes, and their digest is that of all', async () => {
  const bytes = randomBytes(bodyLimit);
  expect(await (await put(bytes)).json()).toEqual({
    bytes: bytes.toString('base64'),
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
});

test('a body that is too long is answered 413, also where its length is known only at its end', async () => {
  expect((await put(Buffer.alloc(bodyLimit + 1))).status).toBe(413);
  const chunked = request(origin, { method: 'PUT', headers });
  chunked.on('error', () => undefined);
  const answered = once(chunked, 'response');
  for (let sent = 0; sent <= bodyLimit; sent += 50_000) chunked.write(Buffer.alloc(50_000));
  const [answer] = await answered;
  expect(answer.statusCode).toBe(413);
  chunked.destroy();
});

test('a body that breaks off is the sender’s fault, and keeps the status of an answer that was chosen', async () => {
  const broken = (error: Error) => {
    const payload = new PassThrough();
    const received = receivedPart(
      { headers: {}, routeOptions: { bodyLimit } } as unknown as FastifyRequest,
      payload as unknown as IncomingMessage,
    );
    payload.write('begun');
    payload.destroy(error);
    return received;
  };
  await expect(broken(new Error('aborted'))).rejects.toMatchObject({ statusCode: 400 });
  const late = Object.assign(new Error('late'), { statusCode: 408 });
  await expect(broken(late)).rejects.toMatchObject({ statusCode: 408 });
});
