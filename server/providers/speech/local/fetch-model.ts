import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStream, fetchFile, ModelRefused, sha256Of, sizeOf } from './fetch-file.ts';
import { descriptionFile, modelFolder, type SpeechModel, totalBytes } from './model.ts';

/** What is left of the disk, for the database and for recordings. */
const leastFreeBytes = 1_000_000_000;

/** Called after each piece. `receivedBytes` are those of all files, with what earlier attempts have received. */
export type FetchProgress = (kind: 'fetching' | 'verifying', receivedBytes: number) => void;

export interface Fetching {
  stream: FileStream;
  signal?: AbortSignal;
  progress?: FetchProgress;
  /** For tests. */
  freeBytes?: (folder: string) => Promise<number>;
}

/**
 * Fetches the files of a model into the data folder. What an interrupted attempt has received is kept, and the next
 * one continues there. The model can be used once all of its files have the described content.
 * @throws ModelRefused if another attempt would fail in the same way; files with other content are deleted
 */
export async function fetchModel(
  dataDir: string,
  model: SpeechModel,
  { stream, signal, progress = () => undefined, freeBytes = freeOf }: Fetching,
): Promise<void> {
  const folder = modelFolder(dataDir, model.name);
  await asStorage(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(join(folder, descriptionFile), { force: true });
  });
  const had = await receivedOf(folder, model);
  if ((await freeBytes(folder)) - (totalBytes(model) - had) < leastFreeBytes)
    throw new ModelRefused('disk', `${model.name} would leave less than 1 GB of the disk.`);
  let before = 0;
  for (const [name, file] of Object.entries(model.files)) {
    const target = join(folder, name);
    const isThere = (await sizeOf(target)) === file.sizeBytes;
    if (isThere) progress('verifying', before + file.sizeBytes);
    if (!isThere || (await sha256Of(target, signal)) !== file.sha256) {
      await rm(target, { force: true });
      const received = (kind: 'fetching' | 'verifying', bytes: number) =>
        progress(kind, before + bytes);
      await fetchFile(`${target}.part`, file, { stream, signal, received });
      await rename(`${target}.part`, target);
    }
    before += file.sizeBytes;
  }
  signal?.throwIfAborted();
  await asStorage(async () => {
    const temporary = join(folder, `${descriptionFile}.part`);
    await writeFile(temporary, JSON.stringify(model), { mode: 0o600, flush: true });
    await rename(temporary, join(folder, descriptionFile));
  });
}

/** Returns how much of a model's files is in its folder, whole and in part. */
async function receivedOf(folder: string, { files }: SpeechModel): Promise<number> {
  let bytes = 0;
  for (const name of Object.keys(files)) {
    const path = join(folder, name);
    bytes += (await sizeOf(path)) || (await sizeOf(`${path}.part`));
  }
  return bytes;
}

async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function asStorage(write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => {
    throw new ModelRefused('storage', `The folder of models can’t be written: ${String(error)}`);
  });
}
