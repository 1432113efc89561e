import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of the table: a figure of Rapport, and what it is compared with. */
export interface Measured {
  name: string;
  unit:
    | 'ms'
    | 'req/s'
    | 'KB'
    | 'MB'
    | 'trips'
    | 'points'
    | 'messages'
    | 'calls'
    | 'hits'
    | 'CPU s'
    | 'cores'
    | 'frames/s';
  ours: number;
  /** The same on the bare counterpart, in the same run; null if the limit is a plain number. */
  peer: number | null;
  /** The value that is compared with the limit: the ratio, or `ours` without a peer. */
  value: number;
  /** Null for a figure without a limit. */
  limit: { at: 'most' | 'least'; value: number; text: string } | null;
  /** Details for the reader, such as the spread and the number of measurements. */
  note: string;
}

export const isMet = ({ limit, value }: Measured): boolean =>
  limit === null || (limit.at === 'most' ? value <= limit.value : value >= limit.value);

/** Returns a figure against its peer: `limit` is the maximum or the minimum of `ours / peer`. */
export function compared(
  name: string,
  unit: Measured['unit'],
  figures: { ours: number; peer: number; limit?: number; at?: 'most' | 'least'; note?: string },
): Measured {
  const { ours, peer, limit, at = 'most', note = '' } = figures;
  const text = `${at === 'most' ? '≤' : '≥'} ${limit} ×`;
  return {
    name,
    unit,
    ours,
    peer,
    value: ours / peer,
    limit: limit === undefined ? null : { at, value: limit, text },
    note,
  };
}

/** Returns a figure against a plain number, or without a limit. */
export function plain(
  name: string,
  unit: Measured['unit'],
  ours: number,
  most: number | null,
  note = '',
): Measured {
  const limit = most === null ? null : { at: 'most' as const, value: most, text: `≤ ${most}` };
  return { name, unit, ours, peer: null, value: ours, limit, note };
}

/** Returns the table as text. */
export function table(results: readonly Measured[]): string {
  const head = ['', 'ours', 'peer', 'ratio', 'limit', '', ''];
  const rows = results.map((one) => [
    one.name,
    `${figure(one.ours)} ${one.unit}`,
    one.peer === null ? '' : `${figure(one.peer)} ${one.unit}`,
    one.peer === null ? '' : (one.ours / one.peer).toFixed(2),
    one.limit?.text ?? '',
    one.limit === null ? '' : isMet(one) ? 'ok' : 'OVER',
    one.note,
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column > 4 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}

const figure = (value: number) => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));

/** Writes the results to bench/results/. @returns the file */
export function save(results: readonly Measured[], machine: object): string {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `${at.replaceAll(/[:.]/g, '-')}.json`);
  const judged = results.map((one) => ({ ...one, met: isMet(one) }));
  writeFileSync(file, `${JSON.stringify({ at, machine, results: judged }, null, 2)}\n`);
  return file;
}
