import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from './fail.ts';
import { altered, literalSites, type Site } from './spec/literal-sites.ts';
import { readStatements } from './spec/statements.ts';

/**
 * Changes one letter in one literal of the specification in the product, at a random place, and
 * runs the tests: first those that should show it, then all that need no browser. Each of 50 runs
 * must fail. `npm run alter-literals [-- COUNT [SEED]]`. Works on a copy of the committed files.
 */
const root = join(import.meta.dirname, '..');
const count = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? Date.now() % 100_000);

/** Mulberry32: the same seed selects the same places. */
function random(state: number): () => number {
  let at = state;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function chosen(sites: Site[]): Site[] {
  const next = random(seed);
  return sites
    .map((site) => ({ site, at: next() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ site }) => site);
}

function copyOfWhatIsCommitted(): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'rapport-literals-')), 'copy');
  execFileSync('git', ['worktree', 'add', '--detach', '--quiet', copy, 'HEAD'], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function isRed(copy: string, args: string[]): boolean {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--bail=1', ...args], {
    cwd: copy,
    stdio: 'ignore',
  });
  return status !== 0;
}

function turnsRed(copy: string, { tests }: Site): string | null {
  const near = tests.filter((file) => !file.startsWith('e2e/'));
  if (near.length > 0 && isRed(copy, near)) return near.join(', ');
  if (isRed(copy, ['--project', 'unit'])) return 'unit';
  return isRed(copy, ['--project', 'server']) ? 'server' : null;
}

try {
  const copy = copyOfWhatIsCommitted();
  try {
    const sites = literalSites(copy, readStatements());
    console.log(`${count} of ${sites.length} places, seed ${seed}`);
    let green = 0;
    for (const site of chosen(sites)) {
      const file = join(copy, site.file);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, altered(text, site));
      const by = turnsRed(copy, site);
      writeFileSync(file, text);
      if (by === null) green += 1;
      console.log(
        `${by === null ? 'GREEN' : 'red  '} '${site.literal}' in ${site.file}: ${by ?? 'nothing noticed'}`,
      );
    }
    console.log(`${count - green} red, ${green} green`);
    if (green > 0) process.exitCode = 1;
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  }
} catch (error) {
  fail(error);
}
