import {
  constants,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataFolderError, failedWith } from './data-folder-error.ts';
import { processNumbering, processStartedAt } from './processes.ts';

const heartbeatSeconds = 2;

export interface ServerLock {
  release(): void;
}

function inUse(dataDir: string, holder: string): DataFolderError {
  const message = `Rapport is already running on ${dataDir} (${holder}). Stop that one first, or set DATA_DIR to another folder.`;
  return new DataFolderError('in-use', message);
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Process numbers of another container or machine are meaningless here. A server there is alive
 * while it touches its lock. An empty lock is being written at this moment, and is awaited in the
 * same way.
 */
async function isTouched(file: string): Promise<boolean> {
  const before = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  for (let waited = 0; waited < 3 * heartbeatSeconds; waited += 0.5) {
    await sleep(500);
    if (statSync(file, { throwIfNoEntry: false })?.mtimeMs !== before) return true;
  }
  return false;
}

async function refuseLiveHolder(
  dataDir: string,
  file: string,
  content: string,
  log: (line: string) => void,
): Promise<void> {
  const [pid = '', startedAt = '', numbering] = content.trim().split('\n');
  if (numbering === processNumbering()) {
    if (processStartedAt(Number(pid)) === startedAt) throw inUse(dataDir, `process ${pid}`);
    return;
  }
  log('The data folder was last used elsewhere or before a restart; checking that it is free …');
  if (await isTouched(file)) throw inUse(dataDir, 'in another container or on another machine');
}

/** Two processes may find the same stale lock. Check the file after moving it, and put a fresh one back. */
function removeStale(dataDir: string, file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return;
    throw error;
  }
  const fresh = readLock(aside) !== stale;
  if (fresh) copyFileSync(aside, file, constants.COPYFILE_EXCL);
  unlinkSync(aside);
  if (fresh) throw inUse(dataDir, 'started at the same moment');
}

/** Returns true when this process created the lock, and false when one exists. */
function placeLock(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    if (readLock(file) === '') rmSync(file, { force: true }); // the file was created before the disk was full
    throw error;
  }
}

/**
 * Takes `<dataDir>/server.lock`, so that one server at a time uses the folder. A lock whose process
 * has ended is taken over.
 * @throws DataFolderError 'in-use'
 */
export async function takeServerLock(
  dataDir: string,
  log: (line: string) => void,
): Promise<ServerLock> {
  const file = join(dataDir, 'server.lock');
  const content = [process.pid, processStartedAt(process.pid), processNumbering(), ''].join('\n');
  for (let attempt = 0; !placeLock(file, content); attempt += 1) {
    if (attempt > 5) throw inUse(dataDir, 'several start at the same moment');
    const held = readLock(file);
    if (held === undefined) continue;
    await refuseLiveHolder(dataDir, file, held, log);
    removeStale(dataDir, file, held);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // If the folder has disappeared or become read-only, the database reports it.
    }
  }, heartbeatSeconds * 1000).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readLock(file) === content) rmSync(file, { force: true });
    },
  };
}
