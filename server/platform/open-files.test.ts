import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { answerErrors } from './http-errors.ts';
import { boundOpenFiles } from './open-files.ts';

const http = Fastify();
afterAll(() => http.close());

test('R9-4: 2,000 requests for files wait in all, and the address with most of them gives one up', async () => {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  answerErrors(http);
  boundOpenFiles(http, 'media');
  http.get('/file', async () => {
    await released;
    return 'content';
  });
  const refused = { '192.0.2.1': 0, '192.0.2.2': 0 };
  const ask = async (remoteAddress: keyof typeof refused) => {
    const { statusCode } = await http.inject({ url: '/file', remoteAddress });
    if (statusCode === 429) refused[remoteAddress] += 1;
  };
  // A hundred of each address have their file open.
  const few = Array.from({ length: 40 + 300 }, () => ask('192.0.2.2'));
  const many = Array.from({ length: 40 + 1_800 }, () => ask('192.0.2.1'));
  await expect.poll(() => refused).toEqual({ '192.0.2.1': 100, '192.0.2.2': 0 });
  release?.();
  await Promise.all([...few, ...many]);
  expect(refused).toEqual({ '192.0.2.1': 100, '192.0.2.2': 0 });
});
