import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('a key spends its burst, and then only the refill', () => {
  const allowance = new Allowance({ burst: 10, perSecond: 2 });
  expect([allowance.spend('a', 10, 0), allowance.spend('b', 10, 0)]).toEqual([0, 0]);
  expect(allowance.spend('a', 1, 0)).toBe(500);
  expect(allowance.debtMs('a', 250)).toBe(250);
  expect(allowance.spend('a', 1, 1000)).toBe(0);
});

test('one cost above the burst is allowed, and must be paid back before the next', () => {
  const allowance = new Allowance({ burst: 10, perSecond: 2 });
  expect(allowance.debtMs('a', 0)).toBe(0);
  expect(allowance.spend('a', 14, 0)).toBe(2000);
  expect(allowance.debtMs('a', 2000)).toBe(0);
});

test('the allowance never refills beyond the burst', () => {
  const allowance = new Allowance({ burst: 10, perSecond: 2 });
  allowance.spend('a', 1, 0);
  expect(allowance.spend('a', 10, 60_000)).toBe(0);
  expect(allowance.spend('a', 1, 60_000)).toBe(500);
});

test('what is taken within the bounds only costs nothing beyond them', () => {
  const allowance = new Allowance({ burst: 10, perSecond: 2 });
  expect(allowance.take('a', 10, 0)).toBe(0);
  for (let n = 0; n < 100; n += 1) expect(allowance.take('a', 1, 0)).toBe(500);
  expect(allowance.take('a', 1, 500)).toBe(0);
});
