import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  hasLiveKit,
  liveKitExecutable,
  liveKitFolder,
  liveKitVersion,
} from '../e2e/support/livekit-server.ts';

/**
 * Builds LiveKit's server once, by its own Go module, into the user's cache folder: the tests of the
 * engine need a real one. Without Go they are skipped.
 * @returns whether there is one
 */
export function buildLiveKit(log: (line: string) => void): boolean {
  if (hasLiveKit()) return true;
  if (spawnSync('go', ['version']).status !== 0) {
    log('No Go: LiveKit cannot be built, calls by LiveKit are not tested.');
    return false;
  }
  log(`Building LiveKit ${liveKitVersion} for the tests, once: four minutes or so …`);
  const folder = liveKitFolder();
  mkdirSync(dirname(folder), { recursive: true });
  // Beside its place, so that a build that is cut off is none.
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    const module = `github.com/livekit/livekit-server/cmd/server@v${liveKitVersion}`;
    const env = { ...process.env, GOBIN: unfinished };
    const built = spawnSync('go', ['install', module], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (built.status !== 0) {
      log(
        `LiveKit could not be built, calls by it are not tested:\n${String(built.stderr).trim()}`,
      );
      return false;
    }
    mkdirSync(folder, { recursive: true });
    renameSync(join(unfinished, 'server'), liveKitExecutable());
    return true;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
