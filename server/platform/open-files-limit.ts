import { readFileSync } from 'node:fs';

/** Assumed where the system is not Linux. macOS allows at least as many. */
const assumed = 10_240;

/**
 * Returns how many files and connections this process may have open (`ulimit -n`). Node.js raises
 * it to the hard limit when it starts.
 */
export function openFilesLimit(): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(limitsOfProcess()) ?? [];
  return soft === undefined ? assumed : Number(soft);
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
