import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { element, head, tinyPackets } from './testing/tiny-packets.ts';
import { WebmGuard } from './webm-guard.ts';

const cluster = [0x1f, 0x43, 0xb6, 0x75];
const unknown = Buffer.of(0x01, ...Buffer.alloc(7, 0xff));
const time = element([0xe7], Buffer.of(0));
const block = (flags: number) => Buffer.of(0xa3, 0x85, 0x81, 0, 0, flags, 7);
const sample = (name: string) => readFileSync(new URL(`./samples/${name}.webm`, import.meta.url));

/** An element of a declared size, without its content. */
function declared(id: number[], size: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(0x01_00_00_00_00_00_00_00n + BigInt(size));
  return Buffer.concat([Buffer.from(id), length]);
}
const blocksOf = (count: number, flags = 0x80) =>
  element(cluster, Buffer.concat([time, ...Array.from({ length: count }, () => block(flags))]));

/** @param step bytes that arrive at once */
function check(bytes: Uint8Array, step = bytes.length): void {
  const guard = new WebmGuard();
  for (let at = 0; at < bytes.length; at += step) guard.check(bytes.subarray(at, at + step));
}

test.each([1, 7, 700, 1e6])('what browsers record passes, %i bytes at a time', (step) => {
  for (const file of [sample('two-phrases'), sample('pink-noise'), tinyPackets(600)])
    expect(() => check(file, step)).not.toThrow();
});

test('clusters of unknown size pass, one after the other', () => {
  const live = Buffer.concat([Buffer.from(cluster), unknown, time, block(0x80), block(0)]);
  expect(() => check(Buffer.concat([head, live, live]))).not.toThrow();
});

test.each<[string, Buffer, string]>([
  ['several frames of fixed size', blocksOf(1, 0x84), 'several frames'],
  [
    'several frames in a group',
    element(cluster, element([0xa0], Buffer.of(0xa1, 0x85, 0x81, 0, 0, 2, 7))),
    'several frames',
  ],
  [
    'a block without a track',
    element(cluster, Buffer.concat([Buffer.of(0xa3, 0x82, 0x81, 0), block(0)])),
    'no track',
  ],
  ['a track that declares 64 gigabytes', declared([0x16, 0x54, 0xae, 0x6b], 2 ** 36), 'too long'],
  ['a cluster that declares 64 gigabytes', declared(cluster, 2 ** 36), 'too long'],
  [
    'a size just below the unknown one',
    Buffer.concat([Buffer.from(cluster), Buffer.of(0x01, ...Buffer.alloc(6, 0xff), 0xfb)]),
    'too long',
  ],
  [
    'a codec’s data that is longer than its track',
    element([0x16, 0x54, 0xae, 0x6b], element([0xae], declared([0x63, 0xa2], 60_000))),
    'out of place',
  ],
  [
    'a description of unknown size',
    Buffer.concat([Buffer.of(0x16, 0x54, 0xae, 0x6b), unknown]),
    'too long',
  ],
  ['an element that the reader does not know', element([0xa5], blocksOf(1)), 'out of place'],
  ['a cluster in a cluster of known size', element(cluster, blocksOf(1)), 'out of place'],
  ['another file', head, 'out of place'],
  [
    'tags in tags',
    Array.from({ length: 20 }).reduce<Buffer>(
      (inner) => element([0x67, 0xc8], inner),
      Buffer.alloc(0),
    ),
    'out of place',
  ],
  [
    'deep tags',
    element(
      [0x12, 0x54, 0xc3, 0x67],
      Array.from({ length: 20 }).reduce<Buffer>(
        (inner) => element([0x67, 0xc8], inner),
        Buffer.alloc(0),
      ),
    ),
    'too deep',
  ],
  ['10,000 blocks', blocksOf(10_000), 'too many'],
  [
    '10,000 empty elements',
    Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.of(0xec, 0x80))),
    'too many',
  ],
  ['bytes of no element', Buffer.of(0, 0, 0), 'no WebM'],
])('%s ends the stream, however it arrives', (_, bytes, reason) => {
  const file = Buffer.concat([head, bytes]);
  expect(() => check(file)).toThrow(reason);
  expect(() => check(file, 3)).toThrow(reason);
});

test('a cluster of unknown size ends the stream once it is longer than any recorder’s', () => {
  const group = element([0xec], Buffer.alloc(60_000));
  const long = Buffer.concat([
    Buffer.from(cluster),
    unknown,
    ...Array.from({ length: 20 }, () => group),
  ]);
  expect(() => check(Buffer.concat([head, long]), 32_768)).toThrow('too long');
});
