import { setImmediate } from 'node:timers/promises';
import type { RecordedFile } from '#domain/recordings/contract.ts';
import type { AnswerReader } from '#server/platform/answer-reader.ts';
import { TenantShares } from '#server/platform/tenant-shares.ts';

/** One at a time: those that are made side by side end together, and each is serialized in one piece. */
const turns = new TenantShares({ perTenant: 1, perActor: 1 });

/** Reads and makes a recording while no other is made for the group, whose members take turns. */
export async function inTurn<T>(group: string, member: string, read: () => Promise<T>): Promise<T> {
  await turns.take(group, member);
  try {
    return await read();
  } finally {
    turns.giveBack(group, member);
  }
}

/** What a file and a value of its waveform cost: signing and serializing take longer than other answers of the length. */
const bytesOf = { file: 4 * 1024, value: 16 };

/** Charges for an answer with these files what it costs the server's thread. */
export function chargeFor(
  reader: AnswerReader | null,
  people: readonly { tracks: readonly { files: readonly RecordedFile[] }[] }[],
): void {
  let bytes = 0;
  for (const { tracks } of people)
    for (const { files } of tracks)
      for (const { waveform } of files) bytes += bytesOf.file + bytesOf.value * waveform.length;
  reader?.made(bytes);
}

/** How long the files of a recording keep the server's thread from everything else. */
const sliceMs = 1;

/**
 * Makes what is shown of a recording's files. A recording may have two thousand, each with a signed address and a
 * waveform, so the server's thread does something else in between.
 * @returns the file of each row
 */
export async function shownFiles<Row>(
  rows: readonly Row[],
  shown: (row: Row) => RecordedFile,
): Promise<(row: Row) => RecordedFile> {
  const files = new Map<Row, RecordedFile>();
  let since = performance.now();
  for (const row of rows) {
    if (performance.now() - since > sliceMs) {
      await setImmediate();
      since = performance.now();
    }
    files.set(row, shown(row));
  }
  return (row) => files.get(row) ?? shown(row);
}

/** Returns the values of a waveform, ten times as fast as by its iterator: it may have hundreds of thousands. */
export function valuesOf(waveform: Uint8Array | null): number[] {
  const values = new Array<number>(waveform?.length ?? 0);
  for (let at = 0; at < values.length; at += 1) values[at] = waveform?.[at] ?? 0;
  return values;
}
