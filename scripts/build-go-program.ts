import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from './run-tool.ts';

/**
 * Builds a server from its Go module (`host/owner/module@version`) into the user's cache
 * folder. Does nothing without Go.
 */
export async function buildGoProgram(
  module: string,
  executable: string,
  log: (line: string) => void,
): Promise<void> {
  const folder = dirname(executable);
  mkdirSync(dirname(folder), { recursive: true });
  // In a temporary folder, so that an interrupted build leaves no program.
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    const env = { ...process.env, GOBIN: unfinished };
    const built = await runTool('go', ['install', module], { env });
    if (!built.succeeded) {
      const isMissing = built.complaints.includes('ENOENT');
      log(isMissing ? 'There is no Go.' : built.complaints.trim());
      return;
    }
    mkdirSync(folder, { recursive: true });
    for (const program of readdirSync(unfinished))
      renameSync(join(unfinished, program), executable);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
