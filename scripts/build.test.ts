import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildIfChanged } from './build.ts';

const root = mkdtempSync(join(tmpdir(), 'build-'));
afterAll(() => rmSync(root, { force: true, recursive: true }));

function write(file: string, content: string): void {
  writeFileSync(join(root, file), content);
}

function page(): string {
  return readFileSync(join(root, 'dist', 'index.html'), 'utf8');
}

test('builds only what changed, and a broken build keeps the last one', async () => {
  mkdirSync(join(root, 'web'));
  write('vite.config.mjs', `export default { root: 'web' };`);
  write('web/index.html', '<p>first</p>');
  const build = () => buildIfChanged(() => {}, root);
  expect(await build()).toBe(true);
  expect(page()).toContain('first');
  expect(await build()).toBe(false);

  write('web/index.html', '<p>second</p>');
  expect(await build()).toBe(true);
  expect(page()).toContain('second');

  write('web/index.html', '<p>third</p><script type="module" src="./missing.js"></script>');
  await expect(build()).rejects.toThrow(/could not be built/);
  expect(page()).toContain('second');
  await expect(build()).rejects.toThrow(/could not be built/);
});
