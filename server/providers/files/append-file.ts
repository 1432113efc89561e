import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  piece: Buffer;
  stored: (position: number) => void;
  refuse: (error: unknown) => void;
}

/**
 * Appends pieces to files, each durably before it resolves. The pieces that arrive for a file while it is being
 * written share the next write and one sync, because a sync takes longer than all else. Only one process may append
 * to a file.
 */
export class AppendedFiles {
  readonly #waiting = new Map<string, Waiting[]>();

  /** Returns the position at which the piece begins. */
  append(path: string, piece: Buffer): Promise<number> {
    return new Promise((stored, refuse) => {
      const waiting = this.#waiting.get(path);
      const entry = { piece, stored, refuse };
      if (waiting) return void waiting.push(entry);
      this.#waiting.set(path, [entry]);
      void this.#write(path);
    });
  }

  async #write(path: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(path) ?? [];
      if (batch.length === 0) return void this.#waiting.delete(path);
      this.#waiting.set(path, []);
      try {
        const [only] = batch;
        const bytes =
          only && batch.length === 1 ? only.piece : Buffer.concat(batch.map(({ piece }) => piece));
        const first = await writeAtEnd(path, bytes);
        let position = first;
        for (const { piece, stored } of batch) {
          stored(position);
          position += piece.length;
        }
      } catch (error) {
        for (const { refuse } of batch) refuse(error);
      }
    }
  }
}

async function writeAtEnd(path: string, bytes: Buffer): Promise<number> {
  const file = await openToAppend(path).catch(async (error) => {
    if (error?.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return openToAppend(path);
  });
  try {
    const { size } = await file.stat();
    try {
      await writeWhole(file, bytes, size);
      await file.datasync();
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
    if (size === 0) await syncFolders(dirname(path));
    return size;
  } finally {
    await file.close();
  }
}

const openToAppend = (path: string) => open(path, constants.O_RDWR | constants.O_CREAT, 0o600);

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The new file's folder, and those that may have been made for it: of the segment, and of all recordings. */
async function syncFolders(folder: string): Promise<void> {
  for (const one of [folder, dirname(folder), dirname(dirname(folder))]) await syncFolder(one);
}

/** A rename or a new file is durable only once its folder is synced, too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
