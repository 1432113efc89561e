import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { folderFiles } from './folder.ts';
import { FileMissingError, type FileStore, FileTooLargeError } from './port.ts';

const home = mkdtempSync(join(tmpdir(), 'rapport-files-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The behavior required of every file store. Add further ones here. */
const kinds: [string, () => FileStore][] = [
  ['a folder', () => folderFiles(mkdtempSync(join(home, 'store-')))],
];

describe.each(kinds)('files in %s', (_, open) => {
  let files: FileStore;
  beforeEach(() => {
    files = open();
  });
  const bytes = Buffer.from('a recording, in a manner of speaking');
  const put = (key: string, content = bytes, limit = 1000) =>
    files.put(key, Readable.from([content.subarray(0, 5), content.subarray(5)]), limit);

  test('are returned byte for byte, with their size and hash', async () => {
    expect(await put('org/file')).toEqual({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
    });
    expect(await buffer(await files.get('org/file'))).toEqual(bytes);
  });

  test('are returned in part, both ends included', async () => {
    await put('org/file');
    expect(await buffer(await files.get('org/file', { start: 2, end: 10 }))).toEqual(
      bytes.subarray(2, 11),
    );
  });

  test('replace the previous content completely', async () => {
    await put('org/file');
    await put('org/file', Buffer.from('shorter'));
    expect(String(await buffer(await files.get('org/file')))).toBe('shorter');
  });

  test('that are too large are not stored, and the previous content stays', async () => {
    await put('org/file');
    await expect(put('org/file', Buffer.alloc(2000), 1999)).rejects.toThrow(FileTooLargeError);
    expect(await buffer(await files.get('org/file'))).toEqual(bytes);
    await put('org/exact', Buffer.alloc(2000), 2000);
  });

  test('whose upload is aborted are not stored', async () => {
    const broken = Readable.from(
      (async function* () {
        yield bytes;
        throw new Error('the line is gone');
      })(),
    );
    await expect(files.put('org/file', broken, 1000)).rejects.toThrow('the line is gone');
    await expect(files.get('org/file')).rejects.toThrow(FileMissingError);
  });

  test('are missing after a delete, and deleting again is not an error', async () => {
    await put('org/file');
    await files.delete('org/file');
    await files.delete('org/file');
    await expect(files.get('org/file')).rejects.toThrow(FileMissingError);
  });

  test.each([
    '../outside',
    'org/../../outside',
    '/etc/passwd',
    'org//file',
    '',
    'a\0b',
    'org/.hidden',
  ])('under a foreign key like %j are refused', async (key) => {
    await expect(put(key)).rejects.toThrow(FileMissingError);
    await expect(files.get(key)).rejects.toThrow(FileMissingError);
    await expect(files.delete(key)).rejects.toThrow(FileMissingError);
  });
});

test('a folder keeps no partial files, and is readable only by its owner', async () => {
  const root = mkdtempSync(join(home, 'store-'));
  const files = folderFiles(root);
  await expect(files.put('org/file', Readable.from([Buffer.alloc(100)]), 10)).rejects.toThrow();
  expect(readdirSync(join(root, 'org'))).toEqual([]);
  await files.put('org/file', Readable.from([Buffer.alloc(100)]), 100);
  expect(statSync(join(root, 'org/file')).mode & 0o077).toBe(0);
  expect(statSync(join(root, 'org')).mode & 0o077).toBe(0);
});
