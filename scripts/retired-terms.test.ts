import { expect, test } from 'vitest';
import { readRetiredTerms, retiredTermsIn } from './retired-terms.ts';

const terms = readRetiredTerms('Retired in names: `wire`, `letter`\nAlways wrong: `colour`\n');

test.each([
  ['a file name', 'web/live/open-wire.ts', ''],
  ['an export', 'a.ts', 'export function resetLetter() {}'],
  ['an exported type', 'a.ts', 'export interface WireCounts {}'],
  ['an always wrong word in a comment', 'a.ts', '/** The colour of a room. */'],
])('a retired term is found in %s', (_where, path, text) => {
  expect(retiredTermsIn(path, text, terms)).toHaveLength(1);
});

test('other words, and retired names in prose, pass', () => {
  const text = '/** Bytes on the wire. */\nexport const rewired = 1;\nconst wire = 2;';
  expect(retiredTermsIn('server/http/route.ts', text, terms)).toEqual([]);
});

test('the glossary has both lists', () => {
  const { inNames, always } = readRetiredTerms();
  expect([inNames.has('wire'), always.has('organisation')]).toEqual([true, true]);
});
