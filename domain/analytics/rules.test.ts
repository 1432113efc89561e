import { expect, test } from 'vitest';
import {
  analyticsOf,
  type CallSums,
  changes,
  figures,
  percentChange,
  pointChange,
  shownDays,
} from './rules.ts';

const nothing: CallSums = {
  calls: 0,
  averaged: 0,
  durationSec: 0,
  items: 0,
  checkedItems: 0,
  scores: 0,
  scoreSum: 0,
  promoters: 0,
  passives: 0,
  detractors: 0,
};

test('figures have minutes with one decimal, whole percent, and the mean score with one decimal', () => {
  const totals = {
    ...nothing,
    calls: 4,
    averaged: 3,
    durationSec: 1000,
    items: 7,
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
  const last = { ...nothing, calls: 3, averaged: 3, durationSec: 60, scores: 1, scoreSum: 9 };
  const none = {
    totalCalls: null,
    avgDuration: null,
    checklistCompletion: null,
    avgNpsScore: null,
  };
  expect(changes(last, nothing)).toEqual(none);
  expect(changes(nothing, last)).toEqual({ ...none, totalCalls: '-100%' });
});

test('trends end with the current day, and only complete days are compared', () => {
  const { trend, last, before, today } = shownDays(new Date('2026-03-31T23:59:59Z'));
  expect(trend).toHaveLength(30);
  expect([trend[0], trend.at(-1)]).toEqual(['2026-03-02', '2026-03-31']);
  expect([before, last, today]).toEqual(['2026-01-30', '2026-03-01', '2026-03-31']);
});

test('each complete day belongs to the last period, and the current one to none', () => {
  const shown = shownDays(new Date('2026-03-31T12:00:00Z'));
  const day = (date: string | null, calls: number) => ({ ...nothing, date, calls });
  const days = [
    day(null, 1000),
    day('before', 2),
    day('2026-03-01', 1),
    day('2026-03-30', 3),
    day('2026-03-31', 70),
    day('2026-04-01', 1),
  ];
  const { totalCalls, changes, trends } = analyticsOf(days, shown);
  expect([totalCalls, changes.totalCalls]).toEqual([1000, '+100%']);
  expect(trends.reduce((sum, { calls }) => sum + calls, 0)).toBe(73);
});
