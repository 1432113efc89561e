import * as z from 'zod/mini';
import {
  byNumber,
  inOrder,
  MemoryPartStore,
  type PartStore,
  type SegmentRecord,
  segmentRecord,
} from './part-store.ts';

const folderName = 'recordings';
const recordName = 'segment.json';

/** Returns the files of this browser's origin (OPFS), or the memory where a page cannot write them. */
export async function openPartStore(): Promise<PartStore> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(folderName, { create: true });
    // Safari before version 26 writes these files in workers only.
    if ('createWritable' in FileSystemFileHandle.prototype) return new FilePartStore(folder);
  } catch {
    // A private window, or storage that is blocked.
  }
  return new MemoryPartStore();
}

/** A folder for each segment, a file for each part. A file appears when it is completely written. */
class FilePartStore implements PartStore {
  readonly survivesReload = true;
  readonly #folder: FileSystemDirectoryHandle;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  async segments(): Promise<SegmentRecord[]> {
    const records: SegmentRecord[] = [];
    for await (const key of this.#folder.keys()) {
      const record = await this.#record(key);
      if (record) records.push(record);
    }
    return inOrder(records);
  }

  async keepSegment(record: SegmentRecord): Promise<void> {
    const folder = await this.#folder.getDirectoryHandle(record.key, { create: true });
    await write(folder, recordName, new Blob([JSON.stringify(record)]));
  }

  async keepPart(key: string, number: number, content: Blob): Promise<void> {
    await write(await this.#folder.getDirectoryHandle(key), String(number), content);
  }

  async parts(key: string): Promise<{ number: number; size: number }[]> {
    const found: { number: number; size: number }[] = [];
    const folder = await this.#folder.getDirectoryHandle(key);
    for await (const [name, handle] of folder.entries()) {
      if (!/^\d+$/.test(name) || !(handle instanceof FileSystemFileHandle)) continue;
      found.push({ number: Number(name), size: (await handle.getFile()).size });
    }
    return found.sort(byNumber);
  }

  async part(key: string, number: number): Promise<Blob | null> {
    try {
      const folder = await this.#folder.getDirectoryHandle(key);
      return await (await folder.getFileHandle(String(number))).getFile();
    } catch {
      return null;
    }
  }

  async forgetPart(key: string, number: number): Promise<void> {
    const folder = await this.#folder.getDirectoryHandle(key);
    await folder.removeEntry(String(number)).catch(ignoreMissing);
  }

  async forgetSegment(key: string): Promise<void> {
    await this.#folder.removeEntry(key, { recursive: true }).catch(ignoreMissing);
  }

  /** A page that died while it began a segment leaves a folder without a record, and no parts. */
  async #record(key: string): Promise<SegmentRecord | null> {
    try {
      const folder = await this.#folder.getDirectoryHandle(key);
      const file = await (await folder.getFileHandle(recordName)).getFile();
      return z.parse(segmentRecord, JSON.parse(await file.text()));
    } catch {
      return null;
    }
  }
}

async function write(folder: FileSystemDirectoryHandle, name: string, content: Blob) {
  const handle = await folder.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  await writable.write(content);
  await writable.close();
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
}
