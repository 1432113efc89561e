import { describe, expect, test } from 'vitest';
import { isHallucination } from './hallucinations.ts';

const heard = (text: string, before: string[] = [], durationMs = 3000) =>
  isHallucination({ text, durationMs, before });

describe('what was most likely not said', () => {
  test.each([
    '',
    ' You',
    'Thank you for watching!',
    'Thanks for watching.',
    '[BLANK_AUDIO]',
    '(music) ♪',
    '*laughs*',
    '...',
    'Untertitelung des ZDF, 2020',
    'no no no no no no',
    'I think so. I think so. I think so. I think so. I think so.',
  ])('%j', (text) => expect(heard(text)).toBe(true));

  test('a long line again, and a short one for the third time in a row', () => {
    expect(heard('We will send it by Friday.', ['We will send it by Friday'])).toBe(true);
    expect(heard('Okay.', ['Okay.', 'okay'])).toBe(true);
  });

  test('more words than the time allows', () => {
    expect(heard('All of this was certainly not said within one fifth of a second.', [], 200)).toBe(
      true,
    );
  });
});

describe('what was said', () => {
  test.each([
    'Thank you.',
    'Do you see my screen?',
    'No, no, no, not like that.',
    'Yes [laughs] of course.',
    'שלום, מה שלומך?',
    '私たちは金曜日に送ります',
  ])('%j', (text) => expect(heard(text)).toBe(false));

  test('a short answer twice, and a long one with another between', () => {
    expect(heard('Yes.', ['Yes.'])).toBe(false);
    expect(heard('We send it on Friday.', ['We send it on Friday.', 'When?'])).toBe(false);
  });
});
