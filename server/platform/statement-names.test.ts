import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const server = join(import.meta.dirname, '..');
const named = /name: '(\w+)',\s*text:\s*(`[^`]*`|'[^']*'|"[^"]*")/g;

test('no two prepared statements share a name, by which a connection remembers them', () => {
  const found = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts', 'testing/**'] })
    .flatMap((file) => [...readFileSync(join(server, file), 'utf8').matchAll(named)])
    .map(([, name = '', text = '']) => ({ name, text }));
  expect(found.length).toBeGreaterThan(300);
  const texts = Map.groupBy(found, ({ name }) => name);
  const twice = [...texts].filter(([, of]) => new Set(of.map(({ text }) => text)).size > 1);
  expect(twice.map(([name]) => name)).toEqual([]);
});
