import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError, failedWith } from './data-folder-error.ts';
import type { DataFolderPaths } from './file-locations.ts';
import type { EmbeddedPostgres } from './start.ts';

/**
 * Returns the connection to the PostgreSQL of a Rapport that is running on this folder. The fifth
 * line of `postmaster.pid` names the folder of its socket.
 * @throws DataFolderError while it is starting or stopping
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
