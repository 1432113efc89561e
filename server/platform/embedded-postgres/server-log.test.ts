import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ServerLog } from './server-log.ts';

function someLog() {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-server-log-'));
  const file = join(folder, 'postgres.log');
  writeFileSync(file, 'LOG:  earlier\n');
  return { folder, file, log: new ServerLog(file) };
}

test('a log is read from where it was opened, and from the beginning once it was emptied', () => {
  const { folder, file, log } = someLog();
  appendFileSync(file, 'LOG:  later\n');
  expect(log.read()).toBe('LOG:  later\n');
  writeFileSync(file, 'LOG:  new\n');
  expect(log.read()).toBe('LOG:  new\n');
  rmSync(folder, { recursive: true });
});

test('panics are reported, and a removed folder ends nothing', () => {
  const { folder, file, log } = someLog();
  const reasons: string[] = [];
  const end = log.reportPanics((reason) => reasons.push(reason));
  appendFileSync(file, 'PANIC:  could not write: No space left on device\n');
  end();
  const endAgain = log.reportPanics((reason) => reasons.push(reason));
  rmSync(folder, { recursive: true });
  endAgain();
  expect(reasons).toEqual(['could not write: No space left on device']);
});
