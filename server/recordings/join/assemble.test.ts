import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { FileStore } from '#server/providers/files/port.ts';
import { assemblePieces, bytesOfPieces, type StoredPart } from './assemble.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapport-pieces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const first = Buffer.concat([Buffer.alloc(60_000), cluster]);
const stored = Buffer.concat([first, cluster]);
const files: Pick<FileStore, 'get'> = {
  get: async (_key, range) => Readable.from([stored.subarray(range?.start, (range?.end ?? 0) + 1)]),
};

test('R21-73: many gaps of a segment write few heads, and no more than is reckoned with', async () => {
  const part = { fileKey: 'key', sizeBytes: cluster.length, position: first.length };
  const parts: StoredPart[] = [
    { ...part, number: 0, sizeBytes: first.length, position: 0 },
    ...Array.from({ length: 2_000 }, (_, n) => ({ ...part, number: 2 * (n + 1) })),
  ];
  const { pieces } = await assemblePieces(files as FileStore, parts, folder);
  const written = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
  expect(pieces).toHaveLength(500);
  expect(written).toBeGreaterThan(500 * 60_000);
  expect(written).toBeLessThanOrEqual(bytesOfPieces(parts));
});
