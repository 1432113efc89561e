import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileMissingError, type FileStore, FileTooLargeError } from './port.ts';

const ownKey = /^[\w-]+(\/[\w-]+)*$/;

/** Stores files in a folder of this machine: the default. */
export function folderFiles(root: string): FileStore {
  const pathOf = (key: string) => {
    if (!ownKey.test(key)) throw new FileMissingError(key);
    return join(root, key);
  };
  return {
    async put(key, content, limitBytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.${randomUUID()}.partial`;
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sizeBytes += chunk.length;
          hash.update(chunk);
          done(sizeBytes > limitBytes ? new FileTooLargeError(limitBytes) : null, chunk);
        },
      });
      try {
        await pipeline(content, measure, createWriteStream(partial, { mode: 0o600, flush: true }));
        await rename(partial, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      return { sizeBytes, sha256: hash.digest() };
    },
    async get(key, range) {
      const path = pathOf(key);
      await access(path).catch(() => {
        throw new FileMissingError(key);
      });
      return createReadStream(path, range);
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

/** A rename is durable only once its folder is synced, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
