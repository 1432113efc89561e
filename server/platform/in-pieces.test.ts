import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPieces } from './in-pieces.ts';

test('R25-B3: what has arrived waits while its reader has paused the connection, and keeps its order', async () => {
  const stream = new PassThrough();
  const read: string[] = [];
  stream.on('data', (piece: Buffer) => {
    read.push(String(piece));
    stream.pause();
  });
  inPieces(stream as unknown as Socket, () => 2);
  stream.write('abcdef');
  await setImmediate();
  expect(read).toEqual(['ab']);
  stream.write('gh');
  await setImmediate();
  expect(read).toEqual(['ab']);
  for (let piece = 0; piece < 3; piece += 1) {
    stream.resume();
    await setImmediate();
  }
  expect(read).toEqual(['ab', 'cd', 'ef', 'gh']);
});
