import { statfs } from 'node:fs/promises';

/** Bytes that recordings leave on the disk, which the database may share. */
export const leftOnDisk = 1024 ** 3;

/** The disk's bytes that are free. */
export const disk = {
  async freeBytes(folder: string): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

/** What running work of this process may write, by folder: also what it has written, which is no longer free. */
const claims = new Map<string, number>();

/** The disk has no room for what is to be written now. */
export class NoDiskRoomError extends Error {
  constructor() {
    super('The disk has no room for this.');
    this.name = 'NoDiskRoomError';
  }
}

/**
 * Does work that writes up to `bytes` into a folder at a time, unless less than `leftOnDisk` could remain beside other
 * such work.
 * @throws NoDiskRoomError before the work begins
 */
export async function withDiskRoom<T>(
  folder: string,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const free = await disk.freeBytes(folder);
  const claimed = claims.get(folder) ?? 0;
  if (free - claimed - bytes < leftOnDisk) throw new NoDiskRoomError();
  claims.set(folder, claimed + bytes);
  try {
    return await work();
  } finally {
    const left = (claims.get(folder) ?? 0) - bytes;
    if (left > 0) claims.set(folder, left);
    else claims.delete(folder);
  }
}
