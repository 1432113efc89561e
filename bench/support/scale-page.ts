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

/**
 * Replaces the figures of docs/scale.md by these, with the machine, the versions, and the date.
 * @param apart those on a PostgreSQL apart, whose version is `version`
 */
export function writeScalePage(
  embedded: readonly Measured[],
  apart: readonly Measured[],
  version: string,
): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  const rows = embedded.flatMap((one) => {
    const other = apart.find(({ name }) => bare(name) === bare(one.name));
    return other && one.peer !== null
      ? [`| ${bare(one.name)} | ${cells(one)} | ${cells(other)} |`]
      : [];
  });
  const lines = [
    start,
    '',
    `${date}, commit ${commit}, Node ${process.version}, ${machine}. Server, database, browser, and benchmark share the machine; the PostgreSQL apart is ${version}.`,
    '',
    '| | embedded: 1,000,000 calls | 1,000 calls | ratio | apart: 1,000,000 calls | 1,000 calls | ratio |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    end,
  ];
  writeFileSync(page, `${before}${lines.join('\n')}${after}`);
}

const bare = (name: string) => name.replace(/^size, \w+: /, '');

const cells = ({ ours, peer }: Measured) =>
  peer === null
    ? ''
    : `${ours.toFixed(1)} ms | ${peer.toFixed(1)} ms | ${(ours / peer).toFixed(2)}`;
