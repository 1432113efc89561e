import { expect, test } from 'vitest';
import { lastCharacters, sentimentLabel } from './rules.ts';

test.each([
  [1, 'Positive'],
  [0.31, 'Positive'],
  [0.3, 'Neutral'],
  [0, 'Neutral'],
  [-0.3, 'Neutral'],
  [-0.31, 'Negative'],
] as const)('a sentiment of %d is %s', (sentiment, label) => {
  expect(sentimentLabel(sentiment)).toBe(label);
});

test('the last characters of a text do not begin with half a character', () => {
  expect(lastCharacters('abcdef', 3)).toBe('def');
  expect(lastCharacters('ab', 3)).toBe('ab');
  expect(lastCharacters('a\u{1f600}bc', 3)).toBe('bc');
  expect(lastCharacters('a\u{1f600}bc', 4)).toBe('\u{1f600}bc');
  expect(lastCharacters('a\u{10000}', 1)).toBe('');
  expect(lastCharacters('a\u{103ff}', 1)).toBe('');
  expect(lastCharacters('\ue000a', 2)).toBe('\ue000a');
});
