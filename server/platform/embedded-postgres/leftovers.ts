import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataFolderError } from './data-folder-error.ts';
import type { DataFolderPaths } from './file-locations.ts';
import { postgresProcessesIn, seesBackends } from './processes.ts';

const patienceSeconds = 20;

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended or belongs to another user. The wait below finds out which.
    }
  }
}

async function waitUntilGone(folder: string, seconds: number): Promise<boolean> {
  for (let waited = 0; waited < seconds * 1000; waited += 25) {
    if (postgresProcessesIn(folder).length === 0) return true;
    await sleep(25);
  }
  return false;
}

function serverPid(paths: DataFolderPaths): number | undefined {
  try {
    return Number.parseInt(readFileSync(`${paths.cluster}/postmaster.pid`, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/**
 * Shuts down the PostgreSQL that a killed run left behind, keeping everything that was committed.
 * Call it with the server lock held, so that any PostgreSQL in this folder is a leftover.
 */
export async function stopLeftovers(
  paths: DataFolderPaths,
  log: (line: string) => void,
): Promise<void> {
  // A killed start may have left initdb running. Its result is discarded.
  signalAll(postgresProcessesIn(paths.newCluster), 'SIGKILL');
  await waitUntilGone(paths.newCluster, patienceSeconds);

  const left = postgresProcessesIn(paths.cluster);
  if (left.length > 0) {
    log('Stopping the PostgreSQL that an earlier run left behind …');
    const server = left.filter((pid) => pid === serverPid(paths));
    signalAll(server.length > 0 ? server : left, 'SIGINT');
    if (!(await waitUntilGone(paths.cluster, patienceSeconds))) {
      signalAll(postgresProcessesIn(paths.cluster), 'SIGQUIT');
      if (!(await waitUntilGone(paths.cluster, patienceSeconds))) {
        const pids = postgresProcessesIn(paths.cluster).join(', ');
        const message = `A PostgreSQL that an earlier run left in ${paths.cluster} does not stop (process ${pids}): stop it by hand, and start again.`;
        throw new DataFolderError('in-use', message);
      }
    }
  }
  // No server runs, so the file is stale. The number in it may since belong to any process, for
  // which PostgreSQL would refuse to start (in a container, where numbers repeat, every time).
  if (seesBackends) rmSync(`${paths.cluster}/postmaster.pid`, { force: true });
}
