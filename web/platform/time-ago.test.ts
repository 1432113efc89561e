import { expect, test } from 'vitest';
import { timeAgo } from '#web/platform/time-ago.ts';
import { withValues } from '#web/platform/with-values.ts';

const now = new Date('2026-03-01T12:00:00Z');
const minute = 60_000;
const ago = (ms: number) => timeAgo(new Date(now.getTime() - ms).toISOString(), now);

test.each([
  [-minute, null],
  [minute - 1, null],
  [minute, '1 minute ago'],
  [60 * minute - 1, '59 minutes ago'],
  [60 * minute, '1 hour ago'],
  [24 * 60 * minute - 1, '23 hours ago'],
  [24 * 60 * minute, '1 day ago'],
  [30 * 24 * 60 * minute - 1, '29 days ago'],
  [30 * 24 * 60 * minute, '1 month ago'],
  [365 * 24 * 60 * minute, '1 year ago'],
])('%d ms ago is told as %s', (ms, text) => {
  expect(ago(ms)).toBe(text);
});

test('an address gets these values, loses empty ones, and the one before is not changed', () => {
  const before = new URLSearchParams('q=acme&status=archived');
  expect(withValues(before, { q: 'new', status: '', page: '2' }).toString()).toBe('q=new&page=2');
  expect(withValues(before, { status: undefined }).toString()).toBe('q=acme');
  expect(before.toString()).toBe('q=acme&status=archived');
});
