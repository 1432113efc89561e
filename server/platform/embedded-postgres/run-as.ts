import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { DataFolderError, notWritable } from './data-folder-error.ts';

export interface FileOwner {
  uid: number;
  gid: number;
}

/** How to start PostgreSQL's programs, which refuse to run as root. */
export interface RunAs {
  /** Prepended to the program and its arguments. */
  prefix: readonly string[];
  /** The user who runs the program and owns its files; undefined means the current user. */
  user: FileOwner | undefined;
}

const ourselves: RunAs = { prefix: [], user: undefined };

// An ordinary user inside the namespace, still root outside of it: it reaches files that root owns,
// a 0700 home included.
const inNamespace: RunAs = {
  prefix: ['unshare', '-U', '--map-user=1000', '--map-group=1000'],
  user: undefined,
};

const nobody: FileOwner = { gid: 65534, uid: 65534 };

/**
 * Runs a command as a test, because a kernel setting, a container's rules, or a closed parent
 * folder may each forbid it.
 */
function works(runAs: RunAs, postgres: string, dataDir: string): boolean {
  const access = runAs.user ? '-x' : '-w';
  const script = `"$1" --version && cd / && test ${access} "$2" && cd "$2"`;
  const [file = 'sh', ...args] = [...runAs.prefix, 'sh', '-c', script, 'sh', postgres, dataDir];
  return spawnSync(file, args, { cwd: '/', stdio: 'ignore', ...runAs.user }).status === 0;
}

/** Returns the error for programs that exist but cannot run on this system. */
export function cannotRunHere(cause?: unknown): DataFolderError {
  const message =
    'The PostgreSQL that npm brought does not run on this system (Alpine Linux, for one, lacks glibc): set DATABASE_URL to a PostgreSQL 15 to 18.';
  return new DataFolderError('cannot-run', message, { cause });
}

function cannotRunAsRoot(postgres: string, dataDir: string): DataFolderError {
  if (spawnSync(postgres, ['--version'], { stdio: 'ignore' }).status !== 0) return cannotRunHere();
  const message =
    `PostgreSQL refuses to run as root, and here no other user can reach both ${postgres} and ${dataDir}: ` +
    'start Rapport as an ordinary user, or put it and DATA_DIR where others may enter (/opt, /srv), or set DATABASE_URL.';
  return new DataFolderError('cannot-run', message);
}

function asOtherUser(postgres: string, dataDir: string): RunAs {
  const folder = statSync(dataDir);
  // Opens the folder only for traversal: every file inside has its own mode.
  if (folder.uid === 0) chmodSync(dataDir, folder.mode | 0o011);
  const user = folder.uid === 0 ? nobody : { gid: folder.gid, uid: folder.uid };
  const runAs = { prefix: [], user };
  if (works(runAs, postgres, dataDir)) return runAs;
  throw cannotRunAsRoot(postgres, dataDir);
}

/**
 * Chooses how to start PostgreSQL. A cluster stays with the user who owns it.
 * @param cluster folder and owner of the cluster; undefined when there is none yet
 * @throws DataFolderError with the remedy where no way works
 */
export function chooseRunAs(
  postgres: string,
  dataDir: string,
  cluster: { folder: string; owner: FileOwner } | undefined,
): RunAs {
  const uid = process.getuid?.();
  if (uid !== 0) {
    if (cluster && cluster.owner.uid !== uid) throw notWritable(cluster.folder);
    return ourselves;
  }
  if (cluster && cluster.owner.uid !== 0) {
    const owner = { prefix: [], user: cluster.owner };
    if (works(owner, postgres, dataDir)) return owner;
    throw cannotRunAsRoot(postgres, dataDir);
  }
  if (works(inNamespace, postgres, dataDir)) return inNamespace;
  const other = asOtherUser(postgres, dataDir);
  if (cluster && other.user) {
    // The cluster was created where namespaces were allowed, and then moved to this system.
    execFileSync('chown', ['-R', `${other.user.uid}:${other.user.gid}`, cluster.folder]);
  }
  return other;
}

const boundaryBytes = String(128 * 1024);
/**
 * For glibc, which others ignore. By default, a process that has freed a large value keeps up to twice as much from
 * then on, and each connection's process has its own. Large values are returned to the system instead.
 */
const returnedMemory = {
  MALLOC_MMAP_THRESHOLD_: boundaryBytes,
  MALLOC_TRIM_THRESHOLD_: boundaryBytes,
};

/** Returns the command line of a PostgreSQL program, for `spawn(file, args, options)`. */
export function commandFor(runAs: RunAs, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...runAs.prefix, program, ...args];
  return { args: rest, file, options: { cwd: '/', env: cleanEnvironment(), ...runAs.user } };
}

/**
 * PG… variables of the caller's environment would change the server's location. LC_ALL=C because
 * the program parses the messages, in English.
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { LC_ALL: 'C', PATH: process.env.PATH, ...returnedMemory };
}

/** Gives a file or folder to the user whom PostgreSQL runs as. */
export function handOver(runAs: RunAs, path: string): void {
  if (runAs.user) chownSync(path, runAs.user.uid, runAs.user.gid);
}
