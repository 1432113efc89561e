import { expect, test } from 'vitest';
import { prepareTools } from './install-tools.ts';
import type { TestTool } from './test-tools.ts';

/** A tool that becomes available when it is installed, unless `can` is false. */
function tool(name: string, can = true): TestTool & { installed: number } {
  const made = {
    name,
    installed: 0,
    untested: `${name}s`,
    debian: [],
    how: `by ${name}`,
    isThere: () => made.installed > 0 && can,
    install: async () => {
      made.installed += 1;
    },
  };
  return made;
}

async function prepare(tools: TestTool[], mayInstall: boolean) {
  const lines: string[] = [];
  const left = await prepareTools(tools, mayInstall, (line) => lines.push(line));
  return { lines, left: left.map(({ name }) => name) };
}

test('missing tools are listed before they are installed', async () => {
  const { lines, left } = await prepare([tool('a'), tool('b')], true);
  expect(lines).toEqual([
    'For the tests, once:',
    '  a: by a',
    '  b: by b',
    'Installing a …',
    'Installing b …',
  ]);
  expect(left).toEqual([]);
});

test('a tool that cannot be installed is named, with what is not tested', async () => {
  const { lines, left } = await prepare([tool('a', false)], true);
  expect(left).toEqual(['a']);
  expect(lines.at(-1)).toBe('No a: not tested: as. To get it: by a.');
});

test('--no-install installs nothing, and says how to get the missing tools', async () => {
  const missing = tool('a');
  const { lines, left } = await prepare([missing], false);
  expect([missing.installed, left]).toEqual([0, ['a']]);
  expect(lines).toEqual(['No a: not tested: as. To get it: by a.']);
});

test('with all tools present nothing is printed', async () => {
  const there = { ...tool('a'), isThere: () => true };
  expect(await prepare([there], true)).toEqual({ lines: [], left: [] });
});
