import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Builds a server from its Go module (`host/owner/module@version`) into the user's cache
 * folder. Does nothing without Go.
 */
export function buildGoProgram(
  module: string,
  executable: string,
  log: (line: string) => void,
): void {
  const folder = dirname(executable);
  mkdirSync(dirname(folder), { recursive: true });
  // In a temporary folder, so that an interrupted build leaves no program.
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    const env = { ...process.env, GOBIN: unfinished };
    const built = spawnSync('go', ['install', module], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (built.status !== 0) {
      log(built.error ? 'There is no Go.' : String(built.stderr).trim());
      return;
    }
    mkdirSync(folder, { recursive: true });
    for (const program of readdirSync(unfinished))
      renameSync(join(unfinished, program), executable);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
