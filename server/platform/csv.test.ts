import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '=cmd|" /C calc"!A0',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
])('attack 33: a cell that starts with %j is turned into text', (cell) => {
  expect(csvLine([cell, 'next'])).toMatch(/^"?'/);
});

test('commas, quotes and line breaks stay within their cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', 'ä'])).toBe(
    '"a,b","say ""x""","two\nlines",ä\r\n',
  );
});
