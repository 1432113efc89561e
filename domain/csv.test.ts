import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each([
  [null, ''],
  [-3, '-3'],
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1+1', "'=1+1"],
  ['  @cmd', "'  @cmd"],
  ['＝1', "'＝1"],
  ['-5', "'-5"],
  ['a;+1', `"a;'+1"`],
  ['a\n=1', `"a\n'=1"`],
  ['a=1', 'a=1'],
  ['mail@example.com', 'mail@example.com'],
])('the cell of %j is %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
