import { expect, test } from 'vitest';
import { longestSlug, slug, slugFrom } from './slug.ts';

test.each([
  ['Jürgen Groß', 'juergen-gross'],
  ['Åse Ærø Łuk', 'ase-aeroe-luk'],
  ['  --Ann  (Sales)!! ', 'ann-sales'],
  ['Zoë', 'zoe'],
  ['田中', 'fallback'],
  ['Jo', 'fallback'],
  ['Admin', 'fallback'],
])('the name %s becomes %s', (name, expected) => {
  expect(slugFrom(name, 'fallback')).toBe(expected);
});

test('a long name leaves four characters for a number, and no hyphen at its end', () => {
  expect(slugFrom('a'.repeat(60), 'fallback')).toBe('a'.repeat(longestSlug - 4));
  expect(slugFrom(`${'a'.repeat(longestSlug - 5)} bc`, 'fallback')).toBe(
    'a'.repeat(longestSlug - 5),
  );
});

test('a slug is trimmed and in lower case', () => {
  expect(slug.parse(' Ann-9 ')).toBe('ann-9');
});

const wrong = 'Please use lowercase letters, digits and single hyphens';
test.each([
  [7, wrong],
  ['ann--9', wrong],
  ['-ann', wrong],
  ['ann-', wrong],
  ['änn', wrong],
  ['an', 'Please use at least 3 characters'],
  ['a'.repeat(41), 'Please use at most 40 characters'],
  ['pricing', 'This word is reserved. Please choose another.'],
  ['you', 'This word is reserved. Please choose another.'],
  ['about', 'This word is reserved. Please choose another.'],
])('the slug %s is refused: %s', (value, message) => {
  expect(slug.safeParse(value).error?.issues[0]?.message).toBe(message);
});

test('slugs of 3 and of 40 characters are allowed', () => {
  expect(slug.safeParse('ann').success).toBe(true);
  expect(slug.safeParse('a'.repeat(40)).success).toBe(true);
});
