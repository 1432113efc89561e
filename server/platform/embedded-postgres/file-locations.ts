import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainFileError, failedWith, notWritable } from './data-folder-error.ts';
import { handOver, type RunAs } from './run-as.ts';

const logLimitBytes = 5_000_000;
/** The system's limit for the path of a socket, and the name that PostgreSQL appends to its folder. */
const socketPathLimitBytes = 107;
const socketName = '/.s.PGSQL.5432';

/** The locations of the embedded PostgreSQL's files, as absolute real paths. */
export interface DataFolderPaths {
  dataDir: string;
  cluster: string;
  newCluster: string;
  password: string;
  log: string;
}

/**
 * Creates the data folder if it is missing.
 * @throws DataFolderError where that is impossible
 */
export function openDataFolder(dataDir: string): DataFolderPaths {
  try {
    mkdirSync(dataDir, { mode: 0o700, recursive: true });
    const folder = realpathSync(dataDir);
    return {
      cluster: join(folder, 'postgres'),
      dataDir: folder,
      log: join(folder, 'postgres.log'),
      newCluster: join(folder, 'postgres.new'),
      password: join(folder, 'postgres-password'),
    };
  } catch (error) {
    // mkdir fails with this code on a read-only disk, for example.
    if (failedWith(error, 'ENOENT')) throw notWritable(dataDir, error);
    throw explainFileError(error, dataDir);
  }
}

/** Keeps the log and the one before it. */
export function rotateLog(log: string): void {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logLimitBytes) renameSync(log, `${log}.1`);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(folder + socketName) <= socketPathLimitBytes;
}

/** In a folder that anyone can write to, a folder with this name may belong to another user. */
function isPrivate(folder: string): boolean {
  const { mode, uid } = lstatSync(folder);
  return (mode & 0o170777) === 0o040700 && (uid === process.getuid?.() || process.getuid?.() === 0);
}

/**
 * Returns the private folder of the socket: in the data folder, or in the temporary folder where
 * that path is too long. Call it only when no PostgreSQL runs here any more. It removes the socket
 * and lock of a killed server, because the process number in the lock may since belong to any
 * process, and PostgreSQL would refuse to start.
 */
export function prepareSocketFolder(dataDir: string, runAs: RunAs): string {
  const folder = makeSocketFolder(dataDir, runAs);
  for (const left of [socketName, `${socketName}.lock`]) rmSync(folder + left, { force: true });
  return folder;
}

function makeSocketFolder(dataDir: string, runAs: RunAs): string {
  const usual = join(dataDir, 'postgres-socket');
  if (fits(usual)) {
    mkdirSync(usual, { mode: 0o700, recursive: true });
    chmodSync(usual, 0o700);
    handOver(runAs, usual);
    return usual;
  }
  const name = `rapport-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const temporary = realpathSync(fits(join(tmpdir(), name)) ? tmpdir() : '/tmp');
  const short = join(temporary, name);
  mkdirSync(short, { mode: 0o700, recursive: true });
  const folder = isPrivate(short) ? short : mkdtempSync(join(temporary, 'rapport-'));
  handOver(runAs, folder);
  return folder;
}
