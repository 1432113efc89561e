import { rmSync } from 'node:fs';
import { runTool } from './run-tool.ts';

/** Installs a package and what it needs into a folder outside the repository. An incomplete one is deleted. */
export async function installNpmTool(folder: string, name: string): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', name];
  const { succeeded } = await runTool('npm', args, { timeout: 240_000 });
  if (!succeeded) rmSync(folder, { recursive: true, force: true });
}
