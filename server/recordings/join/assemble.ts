import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pMapIterable } from 'p-map';
import type { FileStore } from '#server/providers/files/port.ts';

export interface StoredPart {
  number: number;
  sizeBytes: number;
  fileKey: string;
  position: number;
}

/** The element ID of a WebM cluster, with which a recorder continues every few seconds. */
const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
/** What precedes the first cluster: the description of the tracks. */
const longestHead = 64 * 1024;
/** Each begins with the head, and is opened at the same time as all others. A connection that is lost is one. */
const mostPieces = 500;

/** Bytes that are read at a time, and how many such reads are made ahead: together they are held in memory. */
const readBytes = 2 * 1024 * 1024;
const readsAhead = 6;

/**
 * Writes a segment's parts into files that each begin like a whole recording: one, and one more after each missing
 * part. What follows a gap continues with its next cluster. A format without clusters ends at the gap. After very many
 * gaps, the rest is left out.
 * @returns the files, and how many parts they contain
 */
export async function assemblePieces(
  files: FileStore,
  parts: readonly StoredPart[],
  folder: string,
): Promise<{ pieces: string[]; count: number }> {
  const pieces: string[] = [];
  let head: Buffer | null = null;
  let count = 0;
  for (const run of runsOf(parts).slice(0, mostPieces)) {
    const isFirst = run[0]?.number === 0;
    if (run[0] && isFirst) head = headOf(await read(files, run[0]));
    else if (!head) break;
    const from = isFirst || !head ? { beginning: null, rest: run } : await next(files, run, head);
    if (!from) continue;
    const path = join(folder, `piece-${pieces.length}`);
    pieces.push(path);
    await pipeline(bytesOf(files, from), createWriteStream(path, { mode: 0o600 }));
    count += from.rest.length + (from.beginning ? 1 : 0);
  }
  return { pieces, count };
}

/** Returns the most bytes that `assemblePieces` writes. */
export const bytesOfPieces = (parts: readonly StoredPart[]): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
  Math.max(0, Math.min(mostPieces, runsOf(parts).length) - 1) * longestHead;

/** Returns the parts that follow one another without a gap. */
function runsOf(parts: readonly StoredPart[]): StoredPart[][] {
  const runs: StoredPart[][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run && run.at(-1)?.number === part.number - 1) run.push(part);
    else runs.push([part]);
  }
  return runs;
}

interface From {
  beginning: Buffer | null;
  rest: StoredPart[];
}

/** Returns a run that begins with the head and its first cluster; null without one. */
async function next(files: FileStore, run: StoredPart[], head: Buffer): Promise<From | null> {
  for (const [index, part] of run.entries()) {
    const bytes = await read(files, part);
    const at = bytes.indexOf(cluster);
    if (at < 0) continue;
    return { beginning: Buffer.concat([head, bytes.subarray(at)]), rest: run.slice(index + 1) };
  }
  return null;
}

async function* bytesOf(files: FileStore, { beginning, rest }: From) {
  if (beginning) yield beginning;
  const options = { concurrency: readsAhead, backpressure: readsAhead };
  yield* pMapIterable(together(rest), (range) => read(files, range), options);
}

type Stretch = Omit<StoredPart, 'number'>;

/** Returns the parts as stretches of files: those that lie one after the other are read at once. */
function together(parts: readonly StoredPart[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { fileKey, position, sizeBytes } of parts) {
    const last = stretches.at(-1);
    const isNext = last?.fileKey === fileKey && last.position + last.sizeBytes === position;
    if (last && isNext && last.sizeBytes + sizeBytes <= readBytes) last.sizeBytes += sizeBytes;
    else stretches.push({ fileKey, position, sizeBytes });
  }
  return stretches;
}

async function read(files: FileStore, { fileKey, position, sizeBytes }: Stretch): Promise<Buffer> {
  return buffer(await files.get(fileKey, { start: position, end: position + sizeBytes - 1 }));
}

function headOf(bytes: Buffer): Buffer | null {
  const at = bytes.subarray(0, longestHead).indexOf(cluster);
  return at < 0 ? null : Buffer.from(bytes.subarray(0, at));
}
