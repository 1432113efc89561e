import { existsSync } from 'node:fs';
import { runTool } from './run-tool.ts';
import type { TestTool } from './test-tools.ts';

type Log = (line: string) => void;

/**
 * Installs what the tests need besides the packages of npm. It first lists what it will install:
 * Debian packages if it may, the rest into the user's cache folder. What needs no Debian package is
 * built while those are downloaded.
 * @param mayInstall false installs nothing, and prints what is not tested and how to get it
 * @returns the tools that are still missing
 */
export async function prepareTools(
  tools: readonly TestTool[],
  mayInstall: boolean,
  log: Log,
): Promise<readonly TestTool[]> {
  const missing = tools.filter((tool) => !tool.isThere());
  if (missing.length > 0 && mayInstall) {
    log('For the tests, once:');
    for (const tool of missing) log(`  ${tool.name}: ${howToGet(tool)}`);
    const needsDebian = missing.filter(({ debian }) => debian.length > 0);
    await Promise.all([
      installDebian(
        needsDebian.flatMap(({ debian }) => debian),
        log,
      ).then(() => installEach(needsDebian, log)),
      installEach(
        missing.filter(({ debian }) => debian.length === 0),
        log,
      ),
    ]);
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

async function installEach(tools: readonly TestTool[], log: Log): Promise<void> {
  for (const { name, install } of tools) {
    if (!install) continue;
    log(`Installing ${name} …`);
    await install(log);
  }
}

/** Needs root and apt-get; without them, the tools of these packages are missing. */
async function installDebian(packages: readonly string[], log: Log): Promise<void> {
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = async (...args: string[]) => {
    const { complaints } = await runTool('apt-get', args, { env });
    if (complaints !== '') log(complaints.trim());
  };
  await run('update', '-qq');
  await run('install', '-y', '-qq', '--no-install-recommends', ...new Set(packages));
}
