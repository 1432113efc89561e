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

/** Replaces the figures of docs/scale.md by these, with the machine, the version, and the date. */
export function writeScalePage(results: readonly Measured[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    start,
    '',
    `${date}, commit ${commit}, Node ${process.version}, embedded PostgreSQL, ${machine}. Server, database, and benchmark share the machine.`,
    '',
    '| p95 | 1,000,000 calls | 1,000 calls | ratio |',
    '|---|---|---|---|',
    ...results.flatMap(({ name, ours, peer }) =>
      peer === null
        ? []
        : [
            `| \`${name.replace('size: p95 of ', '')}\` | ${ours.toFixed(1)} ms | ${peer.toFixed(1)} ms | ${(ours / peer).toFixed(2)} |`,
          ],
    ),
    '',
    end,
  ];
  writeFileSync(page, `${before}${lines.join('\n')}${after}`);
}
