import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { samlFolder, samlPython } from '../e2e/support/saml-provider.ts';

/**
 * Puts pysaml2, the identity provider of the browser test, into a Python environment of its own in the
 * cache folder. Where that cannot be, the test is skipped.
 */
export function installSamlProvider(log: (line: string) => void): void {
  if (existsSync(samlPython)) return;
  log('Installing pysaml2 for the tests …');
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 180_000 }).status === 0;
  const isMade =
    run('python3', '-m', 'venv', samlFolder) &&
    run(samlPython, '-m', 'pip', 'install', '--quiet', 'pysaml2==7.5.5');
  if (isMade) return;
  rmSync(samlFolder, { recursive: true, force: true });
  log('No pysaml2 (it needs python3 with venv and pip): SAML is not tested in a browser.');
}
