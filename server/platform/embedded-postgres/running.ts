import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError, failedWith } from './data-folder-error.ts';
import type { DataFolderPaths } from './file-locations.ts';
import type { EmbeddedPostgres } from './start.ts';

/**
 * How to reach the PostgreSQL of a Rapport that runs on this folder now: `postmaster.pid` names the
 * folder of its socket in the fifth line.
 * @throws DataFolderError where it is only starting or stopping
 */
export function runningConnection(paths: DataFolderPaths): EmbeddedPostgres['connection'] {
  try {
    const [, , , , host] = readFileSync(join(paths.cluster, 'postmaster.pid'), 'utf8').split('\n');
    const password = readFileSync(paths.password, 'utf8').trim();
    if (host) return { host, password, port: 5432, user: 'postgres' };
  } catch (error) {
    if (!failedWith(error, 'ENOENT')) throw error;
  }
  throw new DataFolderError(
    'in-use',
    `Rapport is starting or stopping on ${paths.dataDir}. Wait a moment, and try again.`,
  );
}
