import { expect, test } from 'vitest';
import { hitsIn, mostHits } from './find-in-lines.ts';

const found = (texts: string[], query: string) =>
  hitsIn(texts, query).map(({ line, from, to }) => [line, texts[line]?.slice(from, to)]);

test('words are found in any case and without their accents, at their own place', () => {
  expect(found(['Der Preis über alles', 'Überall ÜBER'], 'uber')).toEqual([
    [0, 'über'],
    [1, 'Über'],
    [1, 'ÜBER'],
  ]);
  expect(found(['😀 cafe\u0301 crème'], 'café creme')).toEqual([[0, 'cafe\u0301 crème']]);
});

test('right-to-left text and signs with a meaning in patterns are found as they are', () => {
  expect(found(['نريد خمسين مقعدا', 'a.b (c)'], 'خمسين')).toEqual([[0, 'خمسين']]);
  expect(found(['axb', 'a.b (c)'], '.b (')).toEqual([[1, '.b (']]);
});

test('an empty query finds nothing, and the number of hits is bounded', () => {
  expect(hitsIn(['a b'], '   ')).toEqual([]);
  expect(hitsIn(['a'.repeat(mostHits + 10)], 'a')).toHaveLength(mostHits);
});
