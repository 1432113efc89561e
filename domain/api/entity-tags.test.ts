import { expect, test } from 'vitest';
import { namesStrongly, namesWeakly } from './entity-tags.ts';

test.each([
  ['"a"', true, true],
  ['W/"a"', false, true],
  ['"b"', false, false],
  ['"b", "a"', true, true],
  ['"b" ,W/"a"', false, true],
  ['"b,\\"a"', false, false],
  [' * ', true, true],
  ['"*"', false, false],
  ['a', false, false],
  ['', false, false],
  [`${'"'.repeat(9001)}`, false, false],
])('%s names the tag "a": strongly %s, weakly %s', (header, strongly, weakly) => {
  expect(namesStrongly(header, '"a"')).toBe(strongly);
  expect(namesWeakly(header, '"a"')).toBe(weakly);
});
