import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { PostgresBinaries } from './binaries.ts';
import type { DataFolderPaths } from './file-locations.ts';
import { commandFor, handOver, type RunAs } from './run-as.ts';

function save(paths: DataFolderPaths, runAs: RunAs, password: string): void {
  const draft = `${paths.password}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${password}\n`, { flush: true, mode: 0o600 });
  handOver(runAs, draft);
  renameSync(draft, paths.password);
}

/** Needs no password: a single-user PostgreSQL runs on the files, as the one user who may read them. */
function changePassword(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
  password: string,
): boolean {
  const { args, file, options } = commandFor(runAs, binaries.postgres, [
    '--single',
    '-D',
    paths.cluster,
    'postgres',
  ]);
  const input = `ALTER ROLE postgres PASSWORD '${password}'\n`;
  const result = spawnSync(file, args, { ...options, encoding: 'utf8', input });
  return result.status === 0 && !/ERROR|FATAL|PANIC/.test(result.stderr);
}

/**
 * Returns the superuser's password, stored beside the cluster with mode 0600. A missing file (left
 * out of a backup, for example) is created again, and the password is changed in the cluster.
 */
export function preparePassword(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
  clusterExists: boolean,
): string {
  if (existsSync(paths.password)) {
    const password = readFileSync(paths.password, 'utf8').trim();
    if (password !== '') return password;
  }
  const password = randomBytes(24).toString('base64url');
  const known = !clusterExists || changePassword(binaries, paths, runAs, password);
  // If the password could not be changed, the cluster is damaged, and starting it reports how.
  if (known) save(paths, runAs, password);
  return password;
}
