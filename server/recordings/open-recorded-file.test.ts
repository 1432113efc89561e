import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { confinedTo, runApart } from '#server/platform/run-apart.ts';
import { recorded } from '#server/testing/recorded-call.ts';
import { runJoin } from './join/run-join.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file as a recorder's piece. @returns its path */
function piece(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const joinPiece = (path: string) =>
  runJoin(
    folder,
    {
      pieces: [path],
      output: join(folder, 'out'),
      poster: join(folder, 'poster'),
      measures: false,
      sizeBytes: 1000,
    },
    AbortSignal.timeout(60_000),
  );

test('R30-A1: a playlist in place of a recording opens no other file', async () => {
  const other = piece('other', recorded.camera);
  await expect(joinPiece(other)).resolves.toMatchObject({ kind: 'joined' });
  const playlist = piece(
    'playlist',
    '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nother\n#EXT-X-ENDLIST\n',
  );
  await expect(joinPiece(playlist)).resolves.toEqual({ kind: 'nothing' });
});

test('R30-A1: a program that reads recordings can read code, and nothing else of the checkout', async () => {
  const root = join(import.meta.dirname, '../..');
  const program = piece(
    'try.mjs',
    `import { readFileSync } from 'node:fs';
     const readable = (path) => { try { return readFileSync(path).length > 0; } catch (error) { return error.code; } };
     console.log(JSON.stringify(${JSON.stringify(['server/main.ts', 'README.md', 'data/secret-key'])}
       .map((path) => readable(${JSON.stringify(root)} + '/' + path))));`,
  );
  const { answer, complaint } = await runApart({
    program,
    input: {},
    heapMb: 64,
    timeoutMs: 60_000,
    signal: AbortSignal.timeout(60_000),
    options: confinedTo(folder),
    env: { SystemRoot: process.env.SystemRoot },
  });
  expect({ complaint, found: JSON.parse(answer) }).toEqual({
    complaint: '',
    found: [true, 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'],
  });
});

test('R30-A5: a frame of a gigabyte is refused before it is read', async () => {
  const video = Buffer.from(recorded.vp8);
  const cluster = Buffer.from('1f43b67501ffffffffffffffe78100', 'hex');
  const head = video.subarray(0, video.indexOf(cluster.subarray(0, 4)));
  // A block of the first track, whose length has eight bytes.
  const block = Buffer.from('a3010000004000000081000080', 'hex');
  const path = piece('large', Buffer.concat([head, cluster, block]));
  truncateSync(path, 2 ** 30 + 2 ** 20);
  await expect(joinPiece(path)).rejects.toThrow('A piece of the file is too large.');
});
