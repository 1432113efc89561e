import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { descriptionFile, type ModelFile, modelFolder, type SpeechModel } from './model.ts';

/** A connection that delivers nothing for so long is given up; the next attempt continues there. */
const silenceMs = 30_000;

export class ModelRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ModelRefused';
  }
}

/** Called after each piece. */
export type Progress = (file: string, receivedBytes: number, sizeBytes: number) => void;

/**
 * Fetches the files of a model into the data folder. What an interrupted attempt has received is kept, and the next
 * one continues there. The model can be used once all of its files have the described content.
 * @throws ModelRefused for a file with other content, which is deleted
 */
export async function fetchModel(
  dataDir: string,
  model: SpeechModel,
  progress: Progress = () => undefined,
): Promise<void> {
  const folder = modelFolder(dataDir, model.name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(join(folder, descriptionFile), { force: true });
  for (const [name, file] of Object.entries(model.files)) {
    const target = join(folder, name);
    if ((await sizeOf(target)) === file.sizeBytes && (await sha256Of(target)) === file.sha256)
      continue;
    await rm(target, { force: true });
    await fetchFile(`${target}.part`, file, (received) => progress(name, received, file.sizeBytes));
    await rename(`${target}.part`, target);
  }
  await writeFile(join(folder, descriptionFile), JSON.stringify(model), { mode: 0o600 });
}

async function fetchFile(
  part: string,
  { url, sha256, sizeBytes }: ModelFile,
  progress: (receivedBytes: number) => void,
): Promise<void> {
  const had = await sizeOf(part);
  if (had < sizeBytes) await continueAt(part, had, { url, sizeBytes }, progress);
  const found = await sha256Of(part);
  if (found === sha256) return;
  await rm(part, { force: true });
  throw new ModelRefused(`${url} has the SHA-256 ${found}, not ${sha256}. It was deleted.`);
}

async function continueAt(
  part: string,
  had: number,
  { url, sizeBytes }: { url: string; sizeBytes: number },
  progress: (receivedBytes: number) => void,
): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`${url} does not answer`)), silenceMs);
  try {
    const response = await fetch(url, {
      headers: had > 0 ? { range: `bytes=${had}-` } : {},
      signal: silence.signal,
    });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    // A server without ranges sends everything again.
    const from = response.status === 206 ? had : 0;
    let received = from;
    const counted = async function* (bytes: AsyncIterable<Uint8Array>) {
      for await (const piece of bytes) {
        timer.refresh();
        received += piece.length;
        if (received > sizeBytes) {
          throw new ModelRefused(
            `${url} is larger than the ${sizeBytes} bytes of its description.`,
          );
        }
        progress(received);
        yield piece;
      }
    };
    const flags = from > 0 ? 'a' : 'w';
    await pipeline(counted(response.body), createWriteStream(part, { flags, mode: 0o600 }));
    if (received < sizeBytes)
      throw new Error(`${url} ended after ${received} of ${sizeBytes} bytes`);
  } catch (error) {
    if (error instanceof ModelRefused) await rm(part, { force: true });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}
