import { expect, test } from 'vitest';
import { changes, figures, type PeriodTotals, percentChange, pointChange } from './rules.ts';

const nothing: PeriodTotals = {
  calls: 0,
  endedCalls: 0,
  durationSec: 0,
  checklistItems: 0,
  checkedItems: 0,
  scores: 0,
  scoreSum: 0,
};

test('figures have minutes with one decimal, whole percent, and the mean score with one decimal', () => {
  const totals = {
    calls: 4,
    endedCalls: 3,
    durationSec: 1000,
    checklistItems: 7,
    checkedItems: 5,
    scores: 3,
    scoreSum: 26,
  };
  expect(figures(totals)).toEqual({
    totalCalls: 4,
    avgDuration: 5.6,
    checklistCompletion: 71,
    avgNpsScore: 8.7,
  });
});

test('an empty organization has zeros and no score, never NaN', () => {
  expect(figures(nothing)).toEqual({
    totalCalls: 0,
    avgDuration: 0,
    checklistCompletion: 0,
    avgNpsScore: null,
  });
});

test.each([
  [112, 100, '+12%'],
  [97, 100, '-3%'],
  [100, 100, '+0%'],
  [199.7, 200, '+0%'],
  [5, 0, null],
])('%s after %s is a change of %s', (now, before, text) => {
  expect(percentChange(now, before)).toBe(text);
});

test.each([
  [8.5, 8.1, '+0.4'],
  [8.1, 8.3, '-0.2'],
  [8, 8, '+0'],
  [null, 8, null],
  [8, null, null],
])('a score of %s after %s is a change of %s', (now, before, text) => {
  expect(pointChange(now, before)).toBe(text);
});

test('with nothing to compare the text is null', () => {
  const last = { ...nothing, calls: 3, endedCalls: 3, durationSec: 60, scores: 1, scoreSum: 9 };
  const none = {
    totalCalls: null,
    avgDuration: null,
    checklistCompletion: null,
    avgNpsScore: null,
  };
  expect(changes(last, nothing)).toEqual(none);
  expect(changes(nothing, last)).toEqual({ ...none, totalCalls: '-100%' });
});
