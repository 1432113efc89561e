import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
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

/**
 * Writes a segment's parts into files that each begin like a whole recording: one, and one more after each missing
 * part. What follows a gap continues with its next cluster. A format without clusters ends at the gap.
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
  let expected = 0;
  let out = null as ReturnType<typeof createWriteStream> | null;
  for (const part of parts) {
    const { position, sizeBytes, fileKey } = part;
    const range = { start: position, end: position + sizeBytes - 1 };
    let bytes: Buffer = await buffer(await files.get(fileKey, range));
    if (part.number !== expected) {
      if (part.number > 0 && expected === 0) break;
      await end(out);
      out = null;
    }
    expected = part.number + 1;
    if (!out) {
      if (part.number > 0) {
        const at = bytes.indexOf(cluster);
        if (!head) break;
        // The next part may have one. Until then, there is still a gap.
        if (at < 0) {
          expected = -1;
          continue;
        }
        bytes = Buffer.concat([head, bytes.subarray(at)]);
      }
      const path = join(folder, `piece-${pieces.length}`);
      pieces.push(path);
      out = createWriteStream(path, { mode: 0o600 });
    }
    if (part.number === 0) head = headOf(bytes);
    if (!out.write(bytes)) await once(out, 'drain');
    count += 1;
  }
  await end(out);
  return { pieces, count };
}

function headOf(bytes: Buffer): Buffer | null {
  const at = bytes.subarray(0, longestHead).indexOf(cluster);
  return at < 0 ? null : Buffer.from(bytes.subarray(0, at));
}

async function end(out: ReturnType<typeof createWriteStream> | null): Promise<void> {
  if (!out) return;
  out.end();
  await finished(out);
}
