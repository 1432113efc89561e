import { expect, test } from 'vitest';
import { callDurationSec, formatDuration, formatElapsed, npsBucket } from './rules.ts';

test.each([
  [null, '0s'],
  [undefined, '0s'],
  [0, '0s'],
  [-5, '0s'],
  [59, '59s'],
  [59.9, '59s'],
  [60, '1m 0s'],
  [125, '2m 5s'],
  [3600, '60m 0s'],
])('a call of %s seconds lasts %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [-1, '0:00'],
  [9, '0:09'],
  [61.7, '1:01'],
  [3661, '61:01'],
])('the clock shows %s seconds as %s', (seconds, text) => {
  expect(formatElapsed(seconds)).toBe(text);
});

const startedAt = new Date('2026-01-01T10:00:00Z');
const endedAt = new Date('2026-01-01T10:01:40Z');

test.each([0, 90, 100, 160])('a claim of %s seconds for a call of 100 is believed', (claimed) => {
  expect(callDurationSec(startedAt, endedAt, claimed)).toBe(claimed);
});

test.each([undefined, -1, 161, 99.5, 1e308, Number.POSITIVE_INFINITY, Number.NaN])(
  'a claim of %s seconds for a call of 100 is not',
  (claimed) => {
    expect(callDurationSec(startedAt, endedAt, claimed)).toBe(100);
  },
);

test('a call that ends before it starts lasted no time', () => {
  expect(callDurationSec(endedAt, startedAt)).toBe(0);
});

test('scores fall into the three groups of the spec', () => {
  const groups = Array.from({ length: 11 }, (_, score) => npsBucket(score));
  expect(groups).toEqual([
    ...Array(7).fill('detractor'),
    ...Array(2).fill('passive'),
    ...Array(2).fill('promoter'),
  ]);
});
