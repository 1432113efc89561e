import { FileMissingError, type FileStore } from './port.ts';

/** Returns a store that writes to `store`, and also reads and deletes what `former` has from before. */
export function withFormer(store: FileStore, former: FileStore): FileStore {
  return {
    put: store.put,
    append: store.append,
    freeBytes: store.freeBytes,
    get: (key, range) =>
      store.get(key, range).catch((error) => {
        if (error instanceof FileMissingError) return former.get(key, range);
        throw error;
      }),
    async delete(key) {
      await Promise.all([store.delete(key), former.delete(key)]);
    },
    async deleteAll(key) {
      await Promise.all([store.deleteAll(key), former.deleteAll(key)]);
    },
    async folders(folder) {
      const both = await Promise.all([store.folders(folder), former.folders(folder)]);
      return [...new Set(both.flat())];
    },
  };
}
