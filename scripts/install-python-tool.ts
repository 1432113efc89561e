import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs packages into a separate Python environment outside the repository. An environment
 * contains its own path, so an incomplete one is deleted rather than built elsewhere and moved.
 */
export function installPythonTool(folder: string, packages: readonly string[]): void {
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 240_000 }).status === 0;
  const isMade =
    run('python3', '-m', 'venv', folder) &&
    run(join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', ...packages);
  if (!isMade) rmSync(folder, { recursive: true, force: true });
}
