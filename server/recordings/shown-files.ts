import { setImmediate } from 'node:timers/promises';
import type { RecordedFile } from '#domain/recordings/contract.ts';

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
