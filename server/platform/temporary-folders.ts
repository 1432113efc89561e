import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Folders of one kind of work in the data folder, each of which is deleted by the work that made it. */
export interface TemporaryFolders {
  make(): Promise<string>;
  /** Deletes what former runs left. Those of other processes on the same data folder are younger. */
  clear(olderThanMinutes: number): Promise<void>;
}

export function temporaryFolders(dataDir: string, name: string): TemporaryFolders {
  const root = join(resolve(dataDir), name);
  return {
    make: async () => {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return mkdtemp(join(root, 'work-'));
    },
    clear: async (olderThanMinutes) => {
      const oldest = Date.now() - olderThanMinutes * 60_000;
      for (const one of await readdir(root).catch(() => [])) {
        const folder = join(root, one);
        const { mtimeMs } = await stat(folder);
        if (mtimeMs < oldest) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
