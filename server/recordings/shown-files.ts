import type { OrgId } from '#domain/ids.ts';
import type { RecordedFile } from '#domain/recordings/contract.ts';
import { loopTurns } from '#server/platform/loop-turns.ts';

/**
 * Makes what is shown of a recording's files. A recording may have two thousand, each with a signed address and a
 * waveform, so the server's thread does something else in between.
 * @param orgId whose turn it is
 * @returns the file of each row
 */
export async function shownFiles<Row>(
  orgId: OrgId,
  rows: readonly Row[],
  shown: (row: Row) => RecordedFile,
): Promise<(row: Row) => RecordedFile> {
  const files = new Map<Row, RecordedFile>();
  for (const row of rows) {
    await loopTurns.wait(orgId);
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
