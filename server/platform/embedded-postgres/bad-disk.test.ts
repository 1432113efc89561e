import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './start.ts';

const disk = mkdtempSync(join(tmpdir(), 'embedded-postgres-disk-'));
const mounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'none', disk], { stdio: 'ignore' })
    .status === 0;

afterAll(() => {
  if (mounted) execFileSync('umount', [disk]);
  rmSync(disk, { force: true, recursive: true });
});

function start(dataDir: string) {
  return startEmbeddedPostgres({ dataDir, log: () => {} });
}

test.runIf(mounted)('a full disk is reported with its folder', async () => {
  await expect(start(join(disk, 'small'))).rejects.toMatchObject({
    message: expect.stringMatching(/disk that holds .*small is full.*DATA_DIR/),
    problem: 'disk-full',
  });
});

test.runIf(mounted)('a read-only folder is reported as not writable', async () => {
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const refused = { message: expect.stringMatching(/cannot write to/), problem: 'not-writable' };
  try {
    await expect(start(join(disk, 'new'))).rejects.toMatchObject(refused);
    await expect(start(disk)).rejects.toMatchObject(refused);
  } finally {
    execFileSync('mount', ['-o', 'remount,rw', disk]);
  }
});

test('a file in place of the data folder is reported as not writable', async () => {
  writeFileSync(join(disk, 'file'), '');
  await expect(start(join(disk, 'file'))).rejects.toMatchObject({ problem: 'not-writable' });
});
