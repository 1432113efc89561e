import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Pinned: another version looks for other things. */
const version = '4.32.5';
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
/** A Python environment of its own, outside the repository. */
const folder = join(cache, 'rapport', `schemathesis-${version}`);
const program = join(folder, 'bin', 'schemathesis');

/** The program, fetched once; null where there is no Python, or nothing can be fetched. */
export function installSchemathesis(): string | null {
  if (existsSync(program)) return program;
  console.log('Installing Schemathesis …');
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 240_000 }).status === 0;
  const isMade =
    run('python3', '-m', 'venv', folder) &&
    run(join(folder, 'bin', 'pip'), 'install', '--quiet', `schemathesis==${version}`);
  if (isMade) return program;
  rmSync(folder, { recursive: true, force: true });
  return null;
}
