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

test('of 300,000 words the last is found, also after accents, and the texts are read once', () => {
  const texts = Array.from({ length: 12_000 }, (_, at) => `${'schöne Wörter '.repeat(12)}${at}`);
  let read = 0;
  const seen = new Proxy(texts, {
    get: (lines, key) => {
      if (key === '11999') read += 1;
      return Reflect.get(lines, key);
    },
  });
  const from = texts[11_999]?.indexOf('11999');
  for (const query of ['11', '1199', 'WORTER 11999'])
    expect(hitsIn(seen, query).at(-1)?.line, query).toBe(11_999);
  expect(hitsIn(seen, '11999')).toEqual([{ line: 11_999, from, to: (from ?? 0) + 5 }]);
  expect(read).toBe(1);
});
