import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { marksOf, wordsOf } from '#domain/search/words.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const letters = [
  ...'aBz09 ._-\'’"<>&|!():*\\%',
  ...'äßÉøŁıİΣςΩяЁйאבָ׳عَأإى١ـ',
  ...[
    'क्षि',
    'ก็',
    'ำ',
    '東',
    'が',
    'ｶﾞ',
    '한',
    '글',
    '々',
    '…',
    '—',
    '٪',
    '👍',
    '𠀀',
    'ﬁ',
    '²',
    '\u200d',
    '\u1680',
    '❤️',
  ],
];
const text = fc
  .array(fc.constantFrom(...letters), { maxLength: 40 })
  .map((parts) => parts.join(''));

test('the server and the database part any text into the same words', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const { rows } = await app.owner.query<{ words: string[] }>(
        'select tsvector_to_array(search_vector($1)) as words',
        [given],
      );
      const stored = rows[0]?.words ?? [];
      const wanted = wordsOf(given);
      // The index has the last character of unspaced writing, too, which a search finds as a start.
      for (const { word, isStart } of wanted) {
        expect(stored.some((each) => (isStart ? each.startsWith(word) : each === word))).toBe(true);
      }
      const plain = stored.filter((word) => [...word].length > 1);
      expect(plain.filter((word) => !wanted.some((each) => each.word === word))).toEqual([]);
    }),
    { numRuns: 300, seed: 58 },
  );
});

test('what is marked is within the text, in order, and without overlaps', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (given, terms) => {
      let end = 0;
      for (const { from, to } of marksOf(given, terms)) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(given.length);
    }),
  );
});

test('R16-4: characters of long texts are folded once, however many texts a page shows', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const text = 'We meet on Friday. '.repeat(200);
  for (let hit = 0; hit < 200; hit += 1) {
    expect(marksOf(text, ['friday'], 240).length).toBeLessThan(20);
  }
  expect(normalize.mock.calls.length).toBeLessThan(1000);
  normalize.mockRestore();
});

test('R32-B8: a long text without spaces is parted in one pass', async () => {
  // Each folds to four characters. Took seven seconds.
  const long = '㌀'.repeat(5_000);
  await app.owner.query('set statement_timeout = 3000');
  const { rows } = await app.owner.query('select length(search_vector($1)) as words', [long]);
  await app.owner.query('reset statement_timeout');
  expect(rows).toEqual([{ words: 5 }]);
});

test('R32-C8: many combining marks in a row are not all brought into their order', async () => {
  // Took minutes.
  const long = `a${'\u0301'.repeat(25_000)}${'\u0316'.repeat(25_000)} and b\u0301`;
  await app.owner.query('set statement_timeout = 3000');
  const { rows } = await app.owner.query('select tsvector_to_array(search_vector($1)) as words', [
    long,
  ]);
  await app.owner.query('reset statement_timeout');
  expect(rows).toEqual([{ words: ['a', 'and', 'b'] }]);
});
