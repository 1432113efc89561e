import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  chunks: readonly Buffer[];
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
  append(path: string, chunks: readonly Buffer[]): Promise<number> {
    return new Promise((stored, refuse) => {
      const waiting = this.#waiting.get(path);
      const entry = { chunks, stored, refuse };
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
        let position = await writeAtEnd(
          path,
          batch.flatMap(({ chunks }) => chunks),
        );
        for (const { chunks, stored } of batch) {
          stored(position);
          position += lengthOf(chunks);
        }
      } catch (error) {
        for (const { refuse } of batch) refuse(error);
      }
    }
  }
}

const lengthOf = (chunks: readonly Buffer[]) =>
  chunks.reduce((length, chunk) => length + chunk.length, 0);

async function writeAtEnd(path: string, chunks: readonly Buffer[]): Promise<number> {
  const file = await openToAppend(path).catch(async (error) => {
    if (error?.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return openToAppend(path);
  });
  try {
    const { size } = await file.stat();
    try {
      await writeWhole(file, chunks, size);
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

/** A write may take only some of the bytes, where the disk is nearly full. */
async function writeWhole(
  file: FileHandle,
  chunks: readonly Buffer[],
  position: number,
): Promise<void> {
  let at = position;
  let left = chunks;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    left = without(left, bytesWritten);
  }
}

/** Returns what is left of the chunks without their first `bytes`. */
function without(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  let from = bytes;
  for (const [index, chunk] of chunks.entries()) {
    if (from < chunk.length) return [chunk.subarray(from), ...chunks.slice(index + 1)];
    from -= chunk.length;
  }
  return [];
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
