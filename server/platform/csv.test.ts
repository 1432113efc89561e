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

test('R20-4: no part of a cell is a formula where semicolons, tabs, or line breaks separate cells', () => {
  const hostile = [
    "Grace;=1+cmd|' /C calc'!A0",
    'a; ＝1',
    'a\t@SUM(A1)',
    'a\n-1',
    'a\r\n+1',
    '|=1',
  ];
  for (const cell of hostile) {
    const pieces = csvLine([cell]).split(/[;\t\r\n|]/);
    for (const piece of pieces) expect(piece.replace(/^"/, ''), cell).not.toMatch(/^\s*[=+\-@＝]/);
  }
  expect(csvLine(['Ada - Grace; both = 2'])).toBe('"Ada - Grace; both = 2"\r\n');
});

test('commas, quotes and line breaks stay within their cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', 'ä'])).toBe(
    '"a,b","say ""x""","two\nlines",ä\r\n',
  );
});
