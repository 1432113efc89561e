import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/**
 * Installs packages into a separate Python environment outside the repository. An environment
 * contains its own path, so an incomplete one is deleted rather than built elsewhere and moved.
 */
export async function installPythonTool(
  folder: string,
  packages: readonly string[],
): Promise<void> {
  const run = async (command: string, ...args: string[]) =>
    (await runTool(command, args, { timeout: 240_000 })).succeeded;
  const isMade =
    (await run('python3', '-m', 'venv', folder)) &&
    (await run(join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', ...packages));
  if (!isMade) rmSync(folder, { recursive: true, force: true });
}
