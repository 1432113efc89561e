import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const parent = '/dev/shm';
/** A run's databases, data folders, and browser profiles take a third of it. */
const neededBytes = 12 * 2 ** 30;

/** Returns a folder in memory for a run's temporary files, or null where there is not enough of it. */
export function openMemoryFolder(): { path: string; remove(): void } | null {
  if (!existsSync(parent)) return null;
  removeLeft();
  const { bavail, bsize } = statfsSync(parent);
  if (Math.min(bavail * bsize, freemem()) < neededBytes) return null;
  const path = mkdtempSync(join(parent, `rapport-run-${process.pid}-`));
  // The users of the databases enter it, too.
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Removes the folders of killed runs, whose processes no longer exist. */
function removeLeft(): void {
  for (const name of readdirSync(parent)) {
    const pid = /^rapport-run-(\d+)-/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(parent, name), { recursive: true });
  }
}
