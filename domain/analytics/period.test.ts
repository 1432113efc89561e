import { expect, test } from 'vitest';
import { periodOf } from './period.ts';

const now = new Date('2026-03-10T23:30:00Z');

test('a week is shown day by day and compared with the week before', () => {
  expect(periodOf({ from: '2026-03-01', to: '2026-03-07' }, now)).toEqual({
    from: '2026-03-01',
    to: '2026-03-07',
    daily: '2026-03-01',
    before: '2026-02-22',
    days: [1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day}`),
  });
});

test('a period without a last day ends today, and one that begins later on its first day', () => {
  expect(periodOf({ from: '2026-03-09' }, now).days).toEqual(['2026-03-09', '2026-03-10']);
  expect(periodOf({ from: '2026-03-10' }, now).to).toBe('2026-03-10');
  expect(periodOf({ from: '2026-04-01' }, now)).toMatchObject({
    to: '2026-04-01',
    days: ['2026-04-01'],
  });
});

test('366 days are compared; of 367 the last 366 are shown, and nothing is compared', () => {
  const fits = periodOf({ from: '2025-03-10', to: '2026-03-10' }, now);
  expect(fits.days).toHaveLength(366);
  expect(fits.before).toBe('2024-03-09');
  const long = periodOf({ from: '2025-03-09', to: '2026-03-10' }, now);
  expect(long.days).toHaveLength(366);
  expect(long).toMatchObject({ daily: '2025-03-10', before: '2025-03-09' });
});

test('a period without a first day begins with the calendar and is not compared', () => {
  const { from, before, days } = periodOf({ to: '2026-03-10' }, now);
  expect([from, before, days.length]).toEqual(['0001-01-02', '0001-01-02', 366]);
});

test('a period that ends before it begins has no days and is not compared', () => {
  expect(periodOf({ from: '2026-03-07', to: '2026-03-01' }, now)).toMatchObject({
    before: '2026-03-07',
    days: [],
  });
});

test('days of the first years are not compared with days before the calendar', () => {
  expect(periodOf({ from: '0003-01-01', to: '0003-01-02' }, now).before).toBe('0003-01-01');
  expect(periodOf({ from: '0003-01-02', to: '0003-01-02' }, now).before).toBe('0003-01-01');
});
