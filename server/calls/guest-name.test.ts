import { expect, test } from 'vitest';
import { guestName } from './guest-name.ts';

test.each([
  ['marks of direction', '\u200EAda\u200F Love\u061Clace'],
  ['embeddings and isolates', '\u202AAda\u202C \u2066Lovelace\u2069'],
  ['zero-width characters', 'A\u200Bd\u200Ca \u2060Love\u200Dlace\uFEFF'],
  ['soft hyphens and joiners of marks', 'A\u00ADda Love\u034Flace'],
  ['fillers and variation selectors', '\u3164Ada\uFE0F Lovelace\u{E0100}\u115F'],
  ['tags and private use', 'Ada\u{E0041} Lovelace\uE000'],
  ['odd whitespace', ' Ada\u00A0\u2003\tLovelace\u2028'],
  ['a blank of Braille', '\u2800Ada Lovelace'],
  ['half a character', 'Ada Lovelace\uD83D'],
])('a guest cannot hide behind %s', (_, given) => {
  expect(guestName(given).replace(/\uFFFD$/, '')).toBe('Ada Lovelace');
});

test('composed and decomposed letters yield the same name', () => {
  expect(guestName('Rene\u0301')).toBe(guestName('Ren\u00E9'));
  expect(guestName('Rene\u200B\u0301')).toBe('Ren\u00E9');
});

test('a compound emoji stays whole, and names in other scripts stay readable', () => {
  for (const name of ['Bo 👩‍👩‍👧‍👦', '❤️ Ada', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Eve', 'شمس', '王 小明', 'José', "O'Brien-Łuk"]) {
    expect(guestName(name)).toBe(name);
  }
});

test('a name without visible characters becomes “Guest”', () => {
  for (const name of [undefined, '', ' \u200B\u2800 ', '\u202E\u2069']) {
    expect(guestName(name)).toBe('Guest');
  }
});
