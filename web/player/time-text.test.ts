import { expect, test } from 'vitest';
import { timeIn, timeText } from './time-text.ts';

test.each([
  [0, '0:00'],
  [65_999, '1:05'],
  [3_605_000, '1:00:05'],
  [-5, '0:00'],
])('%i ms are shown as %s', (ms, text) => {
  expect(timeText(ms)).toBe(text);
});

test.each([
  ['83', 83_000],
  ['83s', 83_000],
  ['1m23s', 83_000],
  ['1h', 3_600_000],
  ['1:23', 83_000],
  ['1:00:05', 3_605_000],
  ['-4', 0],
  ['later', 0],
  ['1e9', 0],
  ['', 0],
  [null, 0],
])('?t=%s begins at %i ms', (text, ms) => {
  expect(timeIn(text)).toBe(ms);
});
