import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** Returns every test of every runner by file, as `vitest list` names it, without running any. */
export function testNames(): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-tests-'));
  try {
    const file = join(folder, 'list.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    execFileSync(process.execPath, [vitest, 'list', `--json=${file}`], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const names = new Map<string, string[]>();
    for (const test of listed.parse(JSON.parse(readFileSync(file, 'utf8')))) {
      const path = relative(root, test.file);
      names.set(path, [...(names.get(path) ?? []), test.name]);
    }
    return names;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
