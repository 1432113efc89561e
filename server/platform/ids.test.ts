import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newId } from './ids.ts';

const kind = z.uuid();
afterEach(() => void vi.useRealTimers());

test('ids created in the same millisecond sort in the order of their creation', () => {
  const ids = Array.from({ length: 1_000 }, () => newId(kind));
  expect(ids).toEqual([...ids].sort());
});

test('an id for a past time sorts before one of now', () => {
  expect(newId(kind, new Date(Date.now() - 1_000)) < newId(kind)).toBe(true);
});

test('ids follow a clock that is set back by more than a minute, and stay in order for less', () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T12:00:00Z'), toFake: ['Date'] });
  const before = newId(kind);
  vi.setSystemTime(new Date('2030-01-01T11:59:30Z'));
  expect(newId(kind) > before).toBe(true);
  vi.setSystemTime(new Date('2030-01-01T11:00:00Z'));
  const after = newId(kind);
  expect(Number.parseInt(after.slice(0, 13).replace('-', ''), 16)).toBe(Date.now());
  expect(newId(kind) > after).toBe(true);
});
