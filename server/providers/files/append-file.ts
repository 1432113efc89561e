import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Batches } from '#server/platform/batches.ts';

/** Pieces that share a write. */
const mostAtOnce = 32;

/**
 * Returns a function that appends a piece to a file, durably before it resolves with the piece's position. The pieces
 * that arrive for a file while it is being written share the next write and one sync, because a sync takes longer
 * than all else. Only one process may append to a file.
 */
export function appendToFiles(): (path: string, piece: Buffer) => Promise<number> {
  const writes = new Batches<Buffer, number>(mostAtOnce, async (path, pieces) => {
    const [only] = pieces;
    const bytes = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    let position = await writeAtEnd(path, bytes);
    return pieces.map(({ length }) => {
      position += length;
      return position - length;
    });
  });
  return (path, piece) => writes.add(path, piece);
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
