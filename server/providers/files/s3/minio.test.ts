import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import pMap from 'p-map';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteRecording } from '#domain/recordings/contract.ts';
import { deleteDiscardedFiles } from '#server/recordings/discarded-files.ts';
import { joinDue } from '#server/recordings/join/join-due.ts';
import { hasMinio, type Minio, startMinio } from '#server/testing/minio.ts';
import { openTestApp } from '#server/testing/open-test-app.ts';
import {
  partsOf,
  recorded,
  recordedCall,
  recordingOf,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { FileMissingError, type FileStore, FileTooLargeError } from '../port.ts';
import { type S3Bucket, s3Files } from './store.ts';

// What every file store does is checked on MinIO by port.test.ts. `npm run test:full` installs it.
describe.skipIf(!hasMinio())('on MinIO', { tags: 'full' }, () => {
  let minio: Minio;
  let bucket: S3Bucket;
  let files: FileStore;
  beforeAll(async () => {
    minio = await startMinio();
  });
  beforeEach(async () => {
    bucket = await minio.bucket();
    files = s3Files(bucket);
  });
  afterAll(() => minio?.stop());

  const put = (key: string, bytes: Buffer, limit = bytes.length) =>
    files.put(key, Readable.from([bytes]), limit);
  const addressOf = (key = '') => `${bucket.endpoint}/${bucket.bucket}/${key}`;
  async function storedKeys(): Promise<string[]> {
    const keys: string[] = [];
    let after: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await minio.client.send(
        new ListObjectsV2Command({ Bucket: bucket.bucket, ContinuationToken: after }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
      after = page.NextContinuationToken;
    } while (after);
    return keys;
  }

  test('a file of many pieces is stored byte for byte, and of one that is too large nothing is left', async () => {
    const large = randomBytes(40 * 1024 * 1024);
    const sha256 = createHash('sha256').update(large).digest();
    expect(await put('org/large', large)).toEqual({ sizeBytes: large.length, sha256 });
    expect((await buffer(await files.get('org/large'))).equals(large)).toBe(true);
    const acrossPieces = { start: 16 * 1024 * 1024 - 5, end: 16 * 1024 * 1024 + 5 };
    expect(await buffer(await files.get('org/large', acrossPieces))).toEqual(
      large.subarray(acrossPieces.start, acrossPieces.end + 1),
    );
    await expect(put('org/other', large, large.length - 1)).rejects.toThrow(FileTooLargeError);
    await expect(files.get('org/other')).rejects.toThrow(FileMissingError);
    const unfinished = new ListMultipartUploadsCommand({
      Bucket: bucket.bucket,
      Prefix: 'org/other',
    });
    expect((await minio.client.send(unfinished)).Uploads ?? []).toEqual([]);
  });

  test('without a signature nothing is read, listed, written, or deleted', async () => {
    await put('org/file', Buffer.from('private'));
    const asked = ['GET', 'HEAD', 'PUT', 'DELETE'].flatMap((method) =>
      ['org/file', 'org/none'].map((key) => ({ method, address: addressOf(key) })),
    );
    for (const { method, address } of [...asked, { method: 'GET', address: addressOf() }]) {
      const { status } = await fetch(address, { method });
      expect([method, address, status]).toEqual([method, address, 403]);
    }
    expect(await storedKeys()).toEqual(['org/file']);
  });

  test('another secret, an unknown account, and a bucket that is missing are each named in the error', async () => {
    const append = (given: Partial<S3Bucket>) =>
      s3Files({ ...bucket, ...given }).append('org/parts', [Buffer.from('x')]);
    await expect(append({ secretKey: 'another secret' })).rejects.toThrow(
      expect.objectContaining({ name: 'SignatureDoesNotMatch' }),
    );
    await expect(append({ keyId: 'nobody' })).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidAccessKeyId' }),
    );
    await expect(append({ bucket: 'missing' })).rejects.toThrow(
      expect.objectContaining({ name: 'NoSuchBucket' }),
    );
    expect(await storedKeys()).toEqual([]);
  });

  test('more objects than a page lists are all found, and all deleted', async () => {
    const folders = Array.from({ length: 1010 }, (_, at) => `folder-${at}`);
    await pMap(folders, (name) => files.append(`org/${name}`, [Buffer.from('x')]), {
      concurrency: 32,
    });
    await put('orgs/file', Buffer.from('x'));
    expect((await files.folders('org')).sort()).toEqual([...folders].sort());
    await files.deleteAll('org');
    expect(await storedKeys()).toEqual(['orgs/file']);
  }, 60_000);

  test('a recording is joined, played by an address that expires, and deleted with its parts', async () => {
    const app = await openTestApp({}, { files });
    try {
      const here = await recordedCall(app);
      await uploadSegment(app, await here.join('Bo'), partsOf(recorded.camera, 6));
      await app.owner.query('update calls set ended_at = now(), duration_sec = 6 where id = $1', [
        here.call.id,
      ]);
      await joinDue(app.services);
      const { people } = await recordingOf(here.ada, here.call.id);
      const [file] = people.flatMap(({ tracks }) => tracks.flatMap((track) => track.files));
      const read = async (headers = {}) => {
        const { statusCode, rawPayload } = await app.http.inject({
          ...{ method: 'GET', url: file?.url ?? '/none', headers },
        });
        return { status: statusCode, bytes: rawPayload };
      };
      const whole = await read();
      expect(whole.status).toBe(200);
      expect(await read({ range: 'bytes=1000-1999' })).toEqual({
        status: 206,
        bytes: whole.bytes.subarray(1000, 2000),
      });
      const keys = await storedKeys();
      expect(keys.length).toBeGreaterThan(6);
      for (const key of keys) expect((await fetch(addressOf(key))).status).toBe(403);
      vi.useFakeTimers({ now: Date.now() + 21 * 60_000, toFake: ['Date'] });
      expect((await read()).status).toBe(403);
      vi.useRealTimers();
      await here.ada.call(deleteRecording, { params: { id: here.call.id } });
      await deleteDiscardedFiles(app.services);
      expect(await storedKeys()).toEqual([]);
    } finally {
      vi.useRealTimers();
      await app.close();
    }
  });
});
