import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WritableStore } from './store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('notifyLater calls listeners once, though getSnapshot returns the newest value immediately', () => {
  const store = new WritableStore({ n: 0 });
  const told: number[] = [];
  store.subscribe(() => told.push(store.getSnapshot().n));
  store.update({ n: 1 });
  store.notifyLater(200);
  store.update({ n: 2 });
  store.update({ n: 3 });
  expect(store.getSnapshot().n).toBe(3);
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(200);
  expect(told).toEqual([1, 3]);
  store.update({ n: 4 });
  expect(told).toEqual([1, 3, 4]);
});

test('notifyNow calls listeners immediately and cancels notifyLater', () => {
  const store = new WritableStore({ n: 0 });
  const told: number[] = [];
  store.subscribe(() => told.push(store.getSnapshot().n));
  store.notifyLater(200);
  store.update({ n: 1 });
  store.notifyNow();
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([1]);
});
