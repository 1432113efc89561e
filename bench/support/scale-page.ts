import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measured } from '../report.ts';

const page = join(import.meta.dirname, '../../docs/scale.md');
const [start, end] = [
  '<!-- Written by `npm run bench -- size`. -->',
  '<!-- End of the benchmark. -->',
];
const places = ['embedded', 'apart'] as const;
type Place = (typeof places)[number];
/** The cells of a row: three for each place. */
type Rows = Map<string, Record<Place, string>>;

/**
 * Writes these figures to docs/scale.md, with the machine, the versions, and the date. Rows of parts that were not
 * measured stay.
 */
export function writeScalePage(measured: readonly Measured[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(start);
  const [written = '', after = ''] = rest.split(end);
  const rows = rowsOf(written);
  for (const one of measured) {
    const [, place, name] = /^size, (\w+): (.*)$/.exec(one.name) ?? [];
    const known = places.find((each) => each === place);
    if (!known || name === undefined || one.peer === null) continue;
    rows.set(name, {
      ...(rows.get(name) ?? { embedded: '| |', apart: '| |' }),
      [known]: cells(one),
    });
  }
  // Answers first, then pages.
  const sorted = [...rows].sort(([one], [other]) => Number(isPaint(one)) - Number(isPaint(other)));
  const lines = [
    start,
    '',
    `${situation()} Server, database, browser, and benchmark share the machine; the PostgreSQL apart is of the version that Rapport brings. What that run did not measure is of an earlier one.`,
    '',
    '| | embedded: 1,000,000 calls | 1,000 calls | ratio | apart: 1,000,000 calls | 1,000 calls | ratio |',
    '|---|---|---|---|---|---|---|',
    ...sorted.map(([name, { embedded, apart }]) => `| ${name} | ${embedded} | ${apart} |`),
    '',
    end,
  ];
  writeFileSync(page, `${before}${lines.join('\n')}${after}`);
}

function rowsOf(written: string): Rows {
  const rows: Rows = new Map();
  for (const line of written.split('\n')) {
    const [name = '', ...found] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (found.length !== 6 || !/ms$/.test(found[0] ?? '')) continue;
    const joined = (from: number) => found.slice(from, from + 3).join(' | ');
    rows.set(name, { embedded: joined(0), apart: joined(3) });
  }
  return rows;
}

function situation(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commit}, Node ${process.version}, ${machine}.`;
}

const isPaint = (name: string) => name.startsWith('largest paint');

const cells = ({ ours, peer }: Measured) =>
  peer === null
    ? '| |'
    : `${ours.toFixed(1)} ms | ${peer.toFixed(1)} ms | ${(ours / peer).toFixed(2)}`;
