import { createHash, randomUUID } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import pMap from 'p-map';
import {
  FileMissingError,
  type FileStore,
  FilesFullError,
  FileTooLargeError,
  requireOwnKey,
} from '../port.ts';

export interface S3Bucket {
  bucket: string;
  endpoint: string | undefined;
  region: string;
  keyId: string;
  secretKey: string;
}

/** Memory of one upload, which is sent in pieces of this size, two at a time. S3 takes at most 10,000. */
const pieceBytes = 16 * 1024 * 1024;
const piecesAtOnce = 2;
const deletesAtOnce = 16;

/** With the wait for one of `mostSockets`. */
const connectionTimeout = 30_000;
const mostSockets = 200;
/** Until a request is answered, with its piece; the answer itself may take longer. */
const requestTimeout = 120_000;

/** Stores files in a bucket. Each piece that is appended is an object. */
export function s3Files({ bucket, endpoint, region, keyId, secretKey }: S3Bucket): FileStore {
  const clientWith = (maxSockets: number) =>
    new S3Client({
      region,
      credentials: { accessKeyId: keyId, secretAccessKey: secretKey },
      // Other servers than Amazon's rarely have a host name for each bucket, or know its checksums.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        ...{ connectionTimeout, requestTimeout, throwOnRequestTimeout: true },
        ...{
          httpAgent: { keepAlive: true, maxSockets },
          httpsAgent: { keepAlive: true, maxSockets },
        },
      },
    });
  const client = clientWith(mostSockets);
  // Each file that is read holds a connection for as long as its reader takes. The routes bound the readers.
  const readers = clientWith(Number.POSITIVE_INFINITY);
  const objectOf = (key: string) => {
    requireOwnKey(key);
    return { Bucket: bucket, Key: key };
  };
  async function* pagesOf(prefix: string, delimiter?: string) {
    let next: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          Delimiter: delimiter,
          ContinuationToken: next,
        }),
      );
      yield page;
      next = page.NextContinuationToken;
    } while (next);
  }
  return {
    async put(key, content, limitBytes) {
      const object = objectOf(key);
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sizeBytes += chunk.length;
          hash.update(chunk);
          done(sizeBytes > limitBytes ? new FileTooLargeError(limitBytes) : null, chunk);
        },
      });
      content.once('error', (error) => measured.destroy(error));
      // What is left of an upload that fails is deleted.
      const upload = new Upload({
        client,
        params: { ...object, Body: content.pipe(measured) },
        partSize: pieceBytes,
        queueSize: piecesAtOnce,
      });
      try {
        await upload.done();
      } catch (error) {
        content.destroy();
        throw asFull(error);
      }
      return { sizeBytes, sha256: hash.digest() };
    },
    async append(folder, chunks) {
      const key = `${folder}/${randomUUID()}`;
      try {
        await client.send(new PutObjectCommand({ ...objectOf(key), Body: Buffer.concat(chunks) }));
      } catch (error) {
        throw asFull(error);
      }
      return { key, position: 0 };
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await readers
        .send(new GetObjectCommand({ ...objectOf(key), Range }))
        .catch((error) => {
          throw isMissing(error) ? new FileMissingError(key) : error;
        });
      if (!(Body instanceof Readable)) throw new FileMissingError(key);
      return Body;
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)));
    },
    async deleteAll(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)));
      // One by one: not every server deletes many at a time, or in the same way.
      for await (const { Contents = [] } of pagesOf(`${key}/`)) {
        await pMap(
          Contents,
          ({ Key }) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
          { concurrency: deletesAtOnce },
        );
      }
    },
    async folders(folder) {
      if (folder !== '') requireOwnKey(folder);
      const prefix = folder === '' ? '' : `${folder}/`;
      const names: string[] = [];
      for await (const { CommonPrefixes = [] } of pagesOf(prefix, '/')) {
        names.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(prefix.length, -1)));
      }
      return names;
    },
    freeBytes: async () => Number.POSITIVE_INFINITY,
  };
}

const isMissing = (error: unknown) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

const fullNames = /StorageFull|QuotaExceeded|QuotaLimit|InsufficientStorage/;
const asFull = (error: unknown) =>
  error instanceof S3ServiceException &&
  (error.$metadata.httpStatusCode === 507 || fullNames.test(error.name))
    ? new FilesFullError()
    : error;
