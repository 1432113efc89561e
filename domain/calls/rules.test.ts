import { expect, test } from 'vitest';
import { callDurationSec, durationParts, formatElapsed, npsBucket } from './rules.ts';

test.each([
  [null, 0, 0],
  [undefined, 0, 0],
  [0, 0, 0],
  [-5, 0, 0],
  [59, 0, 59],
  [59.9, 0, 59],
  [60, 1, 0],
  [125, 2, 5],
  [3600, 60, 0],
])('a call of %s seconds lasts %i minutes and %i seconds', (duration, minutes, seconds) => {
  expect(durationParts(duration)).toEqual({ minutes, seconds });
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

test('a call lasts from its start to its end', () => {
  expect(callDurationSec(startedAt, endedAt)).toBe(100);
});

test('a call that ends before it starts has a duration of 0', () => {
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
