import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface GoProgram {
  /** For people: its name, and what is not tested without it. */
  name: string;
  untested: string;
  /** `host/owner/module/cmd/program@version`. */
  module: string;
  executable: string;
  takes: string;
}

/**
 * Builds a server that the tests need once, by its own Go module, into the user's cache folder. Without
 * Go those tests are skipped.
 * @returns whether there is one
 */
export function buildGoProgram(program: GoProgram, log: (line: string) => void): boolean {
  const { name, untested, module, executable, takes } = program;
  if (existsSync(executable)) return true;
  if (spawnSync('go', ['version']).status !== 0) {
    log(`No Go: ${name} cannot be built, ${untested} not tested.`);
    return false;
  }
  log(`Building ${name} for the tests, once: ${takes} …`);
  const folder = dirname(executable);
  mkdirSync(dirname(folder), { recursive: true });
  // Beside its place, so that a build that is cut off is none.
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    const env = { ...process.env, GOBIN: unfinished };
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const built = spawnSync('go', ['install', module], { env, stdio: [...stdio] });
    if (built.status !== 0) {
      log(`${name} could not be built, ${untested} not tested:\n${String(built.stderr).trim()}`);
      return false;
    }
    mkdirSync(folder, { recursive: true });
    renameSync(join(unfinished, 'server'), executable);
    return true;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
