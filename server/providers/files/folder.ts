import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppendedFiles, syncFolder } from './append-file.ts';
import {
  FileMissingError,
  type FileStore,
  FilesFullError,
  FileTooLargeError,
  requireOwnKey,
} from './port.ts';

/** Many parts arrive in a second, and ask for the disk's room each. */
const freeForMs = 1_000;

/** Stores files in a folder of this machine: the default. */
export function folderFiles(root: string): FileStore {
  const pathOf = (key: string) => {
    requireOwnKey(key);
    return join(root, key);
  };
  const appended = new AppendedFiles();
  // Several processes may share the folder, and each appends to files of its own.
  const writer = randomUUID();
  let free = { bytes: 0, readAt: 0 };
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
        throw asFull(error);
      }
      return { sizeBytes, sha256: hash.digest() };
    },
    async append(folder, chunks) {
      const key = `${folder}/${writer}`;
      try {
        return { key, position: await appended.append(pathOf(key), chunks) };
      } catch (error) {
        throw asFull(error);
      }
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
    async deleteAll(key) {
      await rm(pathOf(key), { force: true, recursive: true });
    },
    async folders(folder) {
      const entries = await readdir(folder === '' ? root : pathOf(folder), {
        withFileTypes: true,
      }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async freeBytes() {
      if (Date.now() - free.readAt < freeForMs) return free.bytes;
      await mkdir(root, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(root);
      free = { bytes: bavail * bsize, readAt: Date.now() };
      return free.bytes;
    },
  };
}

const isFull = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));

const asFull = (error: unknown) => (isFull(error) ? new FilesFullError() : error);
