import { chmodSync, rmSync } from 'node:fs';
import pg from 'pg';
import { preparePostgresBinaries } from './binaries.ts';
import { createCluster, damaged, inspectCluster } from './cluster.ts';
import { explainFileError } from './data-folder-error.ts';
import {
  type DataFolderPaths,
  openDataFolder,
  prepareSocketFolder,
  rotateLog,
} from './file-locations.ts';
import { stopLeftovers } from './leftovers.ts';
import { preparePassword } from './password.ts';
import { chooseRunAs } from './run-as.ts';
import { takeServerLock } from './server-lock.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface EmbeddedPostgres {
  /** For `pg`: the host is the folder of the socket. */
  connection: { host: string; port: 5432; user: 'postgres'; password: string };
  /** Resolves with a message if the server ends without `stop()`, and never otherwise. */
  lost: Promise<string>;
  /** Shuts the server down and frees the data folder. May be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Receives a line for each step that takes noticeably long. */
  log: (line: string) => void;
}

/** With a damaged catalog the server starts, but every client fails. Report it at the start. */
async function checkConnection(
  paths: DataFolderPaths,
  connection: EmbeddedPostgres['connection'],
): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres', ssl: false });
  client.on('error', () => {}); // the failed query reports it, too
  try {
    await client.connect();
    await client.query('SELECT count(*) FROM pg_class');
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      const detail = `${paths.password} is not its password (delete that file, and the next start makes a new one)`;
      throw damaged(paths, detail, error);
    }
    throw damaged(paths, error instanceof Error ? error.message : String(error), error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function keptIfHealthy(
  server: ServerProcess,
  paths: DataFolderPaths,
  connection: EmbeddedPostgres['connection'],
): Promise<ServerProcess> {
  try {
    await checkConnection(paths, connection);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startLocked(
  paths: DataFolderPaths,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const owner = inspectCluster(paths);
  const binaries = preparePostgresBinaries();
  await stopLeftovers(paths, log);
  const cluster = owner && { folder: paths.cluster, owner };
  const runAs = chooseRunAs(binaries.postgres, paths.dataDir, cluster);
  // A copy or a restored backup is often accessible to other users, which PostgreSQL refuses.
  if (cluster) chmodSync(paths.cluster, 0o700);
  const password = preparePassword(binaries, paths, runAs, cluster !== undefined);
  if (cluster === undefined) {
    log('Creating the database …');
    await createCluster(binaries, paths, runAs);
  }
  rotateLog(paths.log);
  const host = prepareSocketFolder(paths.dataDir, runAs);
  const removeSocketFolder = () => rmSync(host, { force: true, recursive: true });
  const connection = { host, password, port: 5432, user: 'postgres' } as const;
  const server = await startServerProcess(binaries, paths, runAs, host, log)
    .then((server) => keptIfHealthy(server, paths, connection))
    .catch((error) => {
      removeSocketFolder();
      throw error;
    });
  let stopping: Promise<void> | undefined;
  return {
    connection,
    lost: new Promise((resolve) => {
      server.ended.then(() => {
        if (stopping === undefined) {
          resolve(`The database ended unexpectedly. PostgreSQL's own log is ${paths.log}.`);
        }
      });
    }),
    stop() {
      stopping ??= server.stop().then(removeSocketFolder);
      return stopping;
    },
  };
}

/**
 * Starts the PostgreSQL 18 that came with npm on `<dataDir>/postgres`, and creates the cluster if
 * there is none. It listens only on a socket in a private folder, and logs to
 * `<dataDir>/postgres.log`.
 * @throws DataFolderError whose message states the problem and the remedy
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const paths = openDataFolder(options.dataDir);
  try {
    const lock = await takeServerLock(paths.dataDir, options.log);
    try {
      const started = await startLocked(paths, options.log);
      return { ...started, stop: () => started.stop().finally(() => lock.release()) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw explainFileError(error, paths.dataDir);
  }
}
