import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { type PostgresBinaries, postgresMajor } from './binaries.ts';
import { DataFolderError, diskFull, notWritable } from './data-folder-error.ts';
import type { DataFolderPaths } from './file-locations.ts';
import { cannotRunHere, commandFor, type FileOwner, handOver, type RunAs } from './run-as.ts';

/** Returns the error for a damaged cluster; `detail` is a clause such as "PG_VERSION is missing". */
export function damaged(paths: DataFolderPaths, detail: string, cause?: unknown): DataFolderError {
  const message =
    `The database in ${paths.cluster} cannot be opened: ${detail}. Nothing was deleted. ` +
    `PostgreSQL's own log is ${paths.log}. Restore the data folder from a backup, or move it away to begin anew.`;
  return new DataFolderError('damaged', message, { cause });
}

/**
 * Returns the error to show for an error of the embedded PostgreSQL while the program opened it,
 * where it means damaged files (SQLSTATE classes XX and 58) or a full disk; otherwise the error
 * itself.
 */
export function explainDatabaseError(error: unknown, paths: DataFolderPaths): unknown {
  const said = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(said instanceof pg.DatabaseError) || said.code === undefined) return error;
  if (said.code === '53100') return diskFull(paths.dataDir, error);
  return /^(XX|58)/.test(said.code) ? damaged(paths, said.message, error) : error;
}

/** Without these files PostgreSQL is not started, because a start would only add to the damage. */
const essentials = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact', 'pg_multixact'];

/**
 * Inspects the cluster without changing it.
 * @returns its owner, or undefined where there is no cluster yet
 * @throws DataFolderError 'other-version' or 'damaged'
 */
export function inspectCluster(paths: DataFolderPaths): FileOwner | undefined {
  if (!existsSync(paths.cluster) || readdirSync(paths.cluster).length === 0) return undefined;
  for (const needed of essentials) {
    if (!existsSync(`${paths.cluster}/${needed}`)) throw damaged(paths, `${needed} is missing`);
  }
  const version = readFileSync(`${paths.cluster}/PG_VERSION`, 'utf8').trim();
  if (!/^\d+(\.\d+)?$/.test(version)) throw damaged(paths, 'PG_VERSION holds no version');
  if (version !== postgresMajor) {
    const message =
      `The database in ${paths.cluster} was made by PostgreSQL ${version}, and this Rapport brings PostgreSQL ${postgresMajor}. ` +
      'Nothing was touched. Start the Rapport that made it, or set DATABASE_URL to a server that holds its data.';
    throw new DataFolderError('other-version', message);
  }
  const { gid, uid } = statSync(paths.cluster);
  return { gid, uid };
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Returns the error for a known cause in PostgreSQL's own output, or undefined. */
export function explainOutput(output: string, folder: string): DataFolderError | undefined {
  if (output.includes('No space left on device')) return diskFull(folder, output);
  if (/Read-only file system|Permission denied/.test(output)) return notWritable(folder, output);
  return undefined;
}

async function runInitdb(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
): Promise<void> {
  const { args, file, options } = commandFor(runAs, binaries.initdb, [
    '-D',
    paths.newCluster,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${paths.password}`,
    '--locale-provider=builtin',
    '--locale=C',
    '--builtin-locale=C.UTF-8',
    '--encoding=UTF8',
    '--no-instructions',
  ]);
  // Its output is a pipe so that initdb ends with its next line when this process is killed.
  const initdb = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    initdb.once('error', reject).once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([
    ended,
    text(initdb.stdout),
    text(initdb.stderr),
  ]).catch((cause) => {
    throw cannotRunHere(cause);
  });
  if (code === 0) return;
  const output = `${stdout}${stderr}`.trim();
  throw (
    explainOutput(output, dirname(paths.newCluster)) ??
    new DataFolderError(
      'cannot-run',
      `PostgreSQL could not make a database: ${output.split('\n').at(-1)}. Mend that, or set DATABASE_URL.`,
      { cause: output },
    )
  );
}

/**
 * Node's own `rmSync` stops without an error, and leaves the rest, when a file disappears during
 * the removal. The last writes of a killed initdb are enough to cause that.
 */
function removeFolder(folder: string): void {
  for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) {
    rmSync(folder, { force: true, recursive: true, maxRetries: 10, retryDelay: 20 });
  }
}

/**
 * Creates a cluster in a separate folder and then moves it into place, so that an interrupted start
 * leaves no partial cluster.
 */
export async function createCluster(
  binaries: PostgresBinaries,
  paths: DataFolderPaths,
  runAs: RunAs,
): Promise<void> {
  removeFolder(paths.newCluster);
  mkdirSync(paths.newCluster, { mode: 0o700 });
  handOver(runAs, paths.newCluster);
  try {
    await runInitdb(binaries, paths, runAs);
  } catch (error) {
    removeFolder(paths.newCluster);
    throw error;
  }
  renameSync(paths.newCluster, paths.cluster);
  syncFolder(dirname(paths.cluster));
}
