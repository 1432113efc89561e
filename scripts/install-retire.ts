import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachedTool } from '#server/testing/cached-tool.ts';

/**
 * Retire fetches its list of vulnerabilities from a code host; this package of the same registry
 * contains it.
 */
const packages = ['retire@5.7.0', '@salesforce/code-analyzer-retirejs-engine@0.32.0'];
/** Outside the repository: Rapport does not need it to run or build. */
const folder = cachedTool('retire-5.7.0');
const list = 'code-analyzer-retirejs-engine/vulnerabilities/RetireJsVulns.json';

export interface Retire {
  program: string;
  /** Its list of vulnerabilities, a JSON file. */
  list: string;
}

/** Returns Retire and its list, fetched once; null if they cannot be fetched. */
export function installRetire(): Retire | null {
  const found: Retire = {
    program: join(folder, 'node_modules/retire/lib/cli.js'),
    list: join(folder, 'node_modules/@salesforce', list),
  };
  if (existsSync(found.program) && existsSync(found.list)) return found;
  console.log('Installing retire …');
  mkdirSync(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  spawnSync('npm', ['install', ...flags, ...packages], { stdio: 'ignore', timeout: 180_000 });
  if (existsSync(found.program) && existsSync(found.list)) return found;
  rmSync(folder, { recursive: true, force: true });
  return null;
}
