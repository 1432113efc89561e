import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import {
  scimTesterFolder,
  scimTesterPackages,
  scimTesterPython,
} from '../server/testing/scim-tester.ts';

/**
 * Puts `scim2-tester`, which checks our SCIM from outside, into a Python environment of its own in the
 * cache folder. Where there is no Python, or nothing can be fetched, its test is skipped.
 */
export function installScimTester(log: (line: string) => void): void {
  if (existsSync(scimTesterPython)) return;
  log('Installing scim2-tester for the tests …');
  // An environment knows its own path: what is half made is taken away, not moved into its place.
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 180_000 }).status === 0;
  const isMade =
    run('python3', '-m', 'venv', scimTesterFolder) &&
    run(scimTesterPython, '-m', 'pip', 'install', '--quiet', ...scimTesterPackages);
  if (isMade) return;
  rmSync(scimTesterFolder, { recursive: true, force: true });
  log(
    'No scim2-tester (it needs python3 with venv and pip): SCIM is tested by our own tests alone.',
  );
}
