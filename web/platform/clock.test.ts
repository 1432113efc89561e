import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hearTime, learnTime, serverNow } from './clock.ts';

const device = Date.parse('2026-03-01T14:00:00Z');
const answer = (date: string, cacheControl = 'no-store') =>
  new Response(null, { headers: { date, 'cache-control': cacheControl } });

beforeEach(() => vi.useFakeTimers({ now: device }));
afterEach(() => {
  hearTime(answer(new Date().toUTCString()));
  vi.useRealTimers();
});

test.for([
  ['a clock two hours ahead', 'Sun, 01 Mar 2026 12:00:00 GMT'],
  ['a clock two hours behind', 'Sun, 01 Mar 2026 16:00:00 GMT'],
] as const)(
  '%s is measured from an answer, and serverNow follows the server’s clock',
  ([, date]) => {
    hearTime(answer(date));
    vi.advanceTimersByTime(5_000);
    expect(serverNow()).toBe(Date.parse(date) + 5_000);
  },
);

test('a difference of a few seconds is the network’s, not the clock’s', () => {
  hearTime(answer('Sun, 01 Mar 2026 13:59:55 GMT'));
  expect(serverNow()).toBe(device);
});

test('a cached answer and one without a date do not set the clock', () => {
  hearTime(answer('Sun, 01 Mar 2026 12:00:00 GMT', 'public, max-age=9999'));
  hearTime(new Response(null, { headers: { 'cache-control': 'no-store' } }));
  expect(serverNow()).toBe(device);
});

test('a clock that was corrected counts as right', () => {
  hearTime(answer('Sun, 01 Mar 2026 12:00:00 GMT'));
  hearTime(answer('Sun, 01 Mar 2026 14:00:00 GMT'));
  expect(serverNow()).toBe(device);
});

test('a text that is not a date does not set the clock', () => {
  learnTime('Sun, 01 Mar 2026 12:00:00 GMT');
  learnTime('soon');
  expect(serverNow()).toBe(Date.parse('2026-03-01T12:00:00Z'));
});
