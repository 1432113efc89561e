import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestTool } from './test-tools.ts';

type Log = (line: string) => void;

/**
 * Installs what the tests need besides the packages of npm. It first lists what it will install:
 * Debian packages if it may, the rest into the user's cache folder.
 * @param mayInstall false installs nothing, and prints what is not tested and how to get it
 * @returns the tools that are still missing
 */
export function prepareTools(
  tools: readonly TestTool[],
  mayInstall: boolean,
  log: Log,
): readonly TestTool[] {
  const missing = tools.filter((tool) => !tool.isThere());
  if (missing.length > 0 && mayInstall) {
    log('For the tests, once:');
    for (const tool of missing) log(`  ${tool.name}: ${howToGet(tool)}`);
    installDebian(missing.flatMap(({ debian }) => debian));
    for (const { name, install } of missing) {
      if (!install) continue;
      log(`Installing ${name} …`);
      install(log);
    }
  }
  const left = missing.filter((tool) => !tool.isThere());
  for (const tool of left) {
    log(`No ${tool.name}: not tested: ${tool.untested}. To get it: ${howToGet(tool)}.`);
  }
  return left;
}

const howToGet = ({ debian, how }: TestTool): string =>
  [debian.length > 0 ? `apt-get install ${debian.join(' ')}` : '', how ?? '']
    .filter((part) => part !== '')
    .join(', then ');

/** Needs root and apt-get; without them, the tools of these packages are missing. */
function installDebian(packages: readonly string[]): void {
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  run('update', '-qq');
  run('install', '-y', '-qq', '--no-install-recommends', ...new Set(packages));
}
