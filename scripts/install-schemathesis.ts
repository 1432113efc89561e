import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';

/** Pinned: another version looks for other things. */
const version = '4.32.5';
/** A Python environment of its own, outside the repository. */
const folder = cachedTool(`schemathesis-${version}`);
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
