import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookMs, UnreadBytes } from './unread-bytes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bounds = { perKey: 100, inAll: 250 };

/** Creates named readers; `cut` lists those that were cut, in order. */
function readers() {
  const unread = new UnreadBytes(bounds);
  const cut: string[] = [];
  const add = (name: string, keys: string[], bytes: number, isLate = () => false) => {
    const reader = {
      keys: () => keys,
      waiting: () => reader.bytes,
      isLate,
      cut: () => void cut.push(name),
      bytes,
    };
    unread.watch(reader);
    return reader;
  };
  return { unread, cut, add };
}

test('a late reader is cut at the next check, unless nothing waits for it', () => {
  const { cut, add } = readers();
  add('late', ['a'], 1, () => true);
  add('idle', ['a'], 0, () => true);
  vi.advanceTimersByTime(lookMs - 1);
  expect(cut).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(cut).toEqual(['late']);
});

test('past the bound of a key, the reader whose bytes have waited longest is cut', () => {
  const { cut, add } = readers();
  add('old', ['a', 'org'], 40);
  vi.advanceTimersByTime(lookMs);
  add('large', ['b', 'org'], 55);
  add('small', ['c', 'org'], 30);
  vi.advanceTimersByTime(lookMs);
  expect(cut).toEqual(['old']);
});

test('past the total bound, a reader of the key with the most bytes is cut', () => {
  const { cut, add } = readers();
  for (const name of ['one', 'two', 'three', 'four']) add(name, [name], 50);
  vi.advanceTimersByTime(lookMs);
  add('much', ['attacker'], 60);
  vi.advanceTimersByTime(lookMs);
  expect(cut).toEqual(['much']);
});

test('bounds are checked early once much was added', () => {
  const { unread, cut, add } = readers();
  add('one', ['a'], 120);
  unread.added(5 * 1024 * 1024);
  expect(cut).toEqual(['one']);
});
