import { expect, test } from 'vitest';
import { percentsOf } from '#web/analytics/percents.ts';

test.each([
  [
    [2, 1, 1],
    [50, 25, 25],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [2, 2, 3],
    [29, 28, 43],
  ],
  [
    [999, 1, 0],
    [100, 0, 0],
  ],
  [
    [5, 0, 0],
    [100, 0, 0],
  ],
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
])('%j are %j percent, which add up to 100', (counts, percents) => {
  expect(percentsOf(counts)).toEqual(percents);
});
