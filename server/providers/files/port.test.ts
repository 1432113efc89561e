import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hasMinio, startMinio } from '#server/testing/minio.ts';
import { s3StandInKeys, startS3StandIn } from '#server/testing/s3-stand-in.ts';
import { folderFiles } from './folder.ts';
import { FileMissingError, type FileStore, FilesFullError, FileTooLargeError } from './port.ts';
import { s3Files } from './s3/store.ts';
import { withFormer } from './with-former.ts';

const home = mkdtempSync(join(tmpdir(), 'rapport-files-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const bucket = await startS3StandIn();
afterAll(() => bucket.close());
const openS3 = (keys: Partial<typeof s3StandInKeys> = {}) =>
  s3Files({ ...s3StandInKeys, endpoint: bucket.endpoint, ...keys });

// `npm run test:full` installs it.
const minio = hasMinio() ? await startMinio() : null;
afterAll(() => minio?.stop());

type Kind = [name: string, open: () => FileStore | Promise<FileStore>];
/** The behavior required of every file store. Add further ones here. */
const kinds: Kind[] = [
  ['a folder', () => folderFiles(mkdtempSync(join(home, 'store-')))],
  [
    'a bucket',
    () => {
      bucket.objects.clear();
      return openS3();
    },
  ],
  [
    'a bucket, with what a folder has from before',
    () => {
      bucket.objects.clear();
      return withFormer(openS3(), folderFiles(mkdtempSync(join(home, 'store-'))));
    },
  ],
  ...(minio ? [['MinIO', async () => s3Files(await minio.bucket())] satisfies Kind] : []),
];

describe.each(kinds)('files in %s', (_, open) => {
  let files: FileStore;
  beforeEach(async () => {
    files = await open();
  });
  const bytes = Buffer.from('a recording, in a manner of speaking');
  const put = (key: string, content = bytes, limit = 1000) =>
    files.put(key, Readable.from([content.subarray(0, 5), content.subarray(5)]), limit);

  test('R32-A1: are stored while many others are read slowly', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, 7);
    await put('org/large', large, large.length);
    const readers = await Promise.all(Array.from({ length: 60 }, () => files.get('org/large')));
    expect(await put('org/file')).toMatchObject({ sizeBytes: bytes.length });
    expect(await buffer(await files.get('org/file'))).toEqual(bytes);
    for (const reader of readers) reader.destroy();
  });

  test('are returned byte for byte, with their size and hash', async () => {
    expect(await put('org/file')).toEqual({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
    });
    expect(await buffer(await files.get('org/file'))).toEqual(bytes);
  });

  test('may have the extension that another program gave them', async () => {
    await put('org/parts/egress.webm');
    expect(await buffer(await files.get('org/parts/egress.webm'))).toEqual(bytes);
    await files.deleteAll('org/parts');
    await expect(files.get('org/parts/egress.webm')).rejects.toThrow(FileMissingError);
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

  test('pieces are each returned from where they are, also those that arrive at the same time', async () => {
    const pieces = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(text));
    const stored = await Promise.all(pieces.map((piece) => files.append('org/parts', [piece])));
    for (const [at, { key, position }] of stored.entries()) {
      const end = position + (pieces[at]?.length ?? 0) - 1;
      expect(key.startsWith('org/parts/')).toBe(true);
      expect(await buffer(await files.get(key, { start: position, end }))).toEqual(pieces[at]);
    }
  });

  test('are deleted with their folder, and no others', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await put(`org/one/${name}`);
    await put('org/onerous/a');
    await put('org/single');
    for (const key of ['org/one', 'org/one', 'org/single']) await files.deleteAll(key);
    await expect(files.get('org/single')).rejects.toThrow(FileMissingError);
    await expect(files.get('org/one/d')).rejects.toThrow(FileMissingError);
    expect(await buffer(await files.get('org/onerous/a'))).toEqual(bytes);
  });

  test('are listed by their folders', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await put(`org/${name}/file`);
    await put('org/file');
    expect((await files.folders('org')).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await files.folders('')).toEqual(['org']);
    expect(await files.folders('none')).toEqual([]);
    expect(await files.freeBytes()).toBeGreaterThan(0);
  });

  test.each([
    '../outside',
    'org/../../outside',
    '/etc/passwd',
    'org//file',
    '',
    'a\0b',
    'org/.hidden',
    'org/file.',
    'org/file.webm/other',
    'org/..webm',
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

test('a large file is sent to a bucket in pieces, and nothing is left of one that fails', async () => {
  const files = openS3();
  const large = Buffer.alloc(40 * 1024 * 1024, 'recording');
  const { sizeBytes, sha256 } = await files.put('org/large', Readable.from([large]), large.length);
  expect([sizeBytes, sha256]).toEqual([large.length, createHash('sha256').update(large).digest()]);
  expect(bucket.objects.get('org/large')?.equals(large)).toBe(true);
  const limit = large.length - 1;
  const pieces = [large.subarray(0, limit), large.subarray(limit)];
  await expect(files.put('org/other', Readable.from(pieces), limit)).rejects.toThrow(
    FileTooLargeError,
  );
  expect(bucket.objects.has('org/other')).toBe(false);
  expect(bucket.uploads.size).toBe(0);
});

test('a bucket with another key refuses, and a full one says so', async () => {
  const wrong = openS3({ secretKey: 'another' });
  await expect(wrong.append('org/parts', [Buffer.from('x')])).rejects.toThrow(
    /SignatureDoesNotMatch/,
  );
  bucket.faults.push({ status: 507, code: 'XMinioStorageFull' });
  await expect(openS3().append('org/parts', [Buffer.from('x')])).rejects.toThrow(FilesFullError);
  bucket.faults.length = 0;
});

test('what the data folder has from before a bucket was set up is read and deleted', async () => {
  const folder = folderFiles(mkdtempSync(join(home, 'store-')));
  await folder.put('org/logo', Readable.from([Buffer.from('logo')]), 10);
  const files = withFormer(openS3(), folder);
  expect(String(await buffer(await files.get('org/logo')))).toBe('logo');
  await files.delete('org/logo');
  await expect(folder.get('org/logo')).rejects.toThrow(FileMissingError);
});
