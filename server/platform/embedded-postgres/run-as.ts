import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { DataFolderError, notWritable } from './data-folder-error.ts';

export interface FileOwner {
  uid: number;
  gid: number;
}

/** How the programs of PostgreSQL are started, which refuse to run as root. */
export interface RunAs {
  /** Put before the program and its arguments. */
  prefix: readonly string[];
  /** The user to start it as, and to whom its files belong; undefined: our own. */
  user: FileOwner | undefined;
}

const ourselves: RunAs = { prefix: [], user: undefined };

// Seen from inside an ordinary user, seen from outside still root: it reaches what root owns, a 0700 home included.
const inNamespace: RunAs = {
  prefix: ['unshare', '-U', '--map-user=1000', '--map-group=1000'],
  user: undefined,
};

const nobody: FileOwner = { gid: 65534, uid: 65534 };

/** Tried for real: a kernel setting, a container's rules or a closed folder on the way may each forbid it. */
function works(runAs: RunAs, postgres: string, dataDir: string): boolean {
  const access = runAs.user ? '-x' : '-w';
  const script = `"$1" --version && cd / && test ${access} "$2" && cd "$2"`;
  const [file = 'sh', ...args] = [...runAs.prefix, 'sh', '-c', script, 'sh', postgres, dataDir];
  return spawnSync(file, args, { cwd: '/', stdio: 'ignore', ...runAs.user }).status === 0;
}

/** The programs are there, but this system cannot execute them. */
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
  // Ours to open: only for passing through, and every file inside has its own mode.
  if (folder.uid === 0) chmodSync(dataDir, folder.mode | 0o011);
  const user = folder.uid === 0 ? nobody : { gid: folder.gid, uid: folder.uid };
  const runAs = { prefix: [], user };
  if (works(runAs, postgres, dataDir)) return runAs;
  throw cannotRunAsRoot(postgres, dataDir);
}

/**
 * Chooses how to start PostgreSQL. A cluster stays with the user who owns it.
 * @param cluster folder and owner of the cluster; undefined when there is none yet
 * @throws DataFolderError with what to do where there is no way
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
    // Made where namespaces were allowed, and moved here.
    execFileSync('chown', ['-R', `${other.user.uid}:${other.user.gid}`, cluster.folder]);
  }
  return other;
}

/** The command line of a program of PostgreSQL, for `spawn(file, args, options)`. */
export function commandFor(runAs: RunAs, program: string, args: readonly string[]) {
  const [file = program, ...rest] = [...runAs.prefix, program, ...args];
  return { args: rest, file, options: { cwd: '/', env: cleanEnvironment(), ...runAs.user } };
}

/** PG… variables of whoever starts us would move the server elsewhere; messages are read by us, in English. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { LC_ALL: 'C', PATH: process.env.PATH };
}

/** Hands a file or folder that we made to the user whom PostgreSQL runs as. */
export function handOver(runAs: RunAs, path: string): void {
  if (runAs.user) chownSync(path, runAs.user.uid, runAs.user.gid);
}
