import { expect, test } from 'vitest';
import { nextAttempt, retryAfterSeconds } from './retries.ts';

const start = new Date('2026-11-25T00:00:00Z');
const hours = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 3_600_000;

test.each([0, 0.5, 1])('attempts are spread over 24 hours, and then end (random %d)', (random) => {
  const delays: number[] = [];
  let now = start;
  for (let attempt = 1; ; attempt += 1) {
    const next = nextAttempt({ firstTryAt: start, attempt, retryAfterSeconds: null, now, random });
    if (!next) break;
    delays.push((next.getTime() - now.getTime()) / 1000);
    now = next;
  }
  expect(hours(start, now)).toBe(24);
  expect(delays[0]).toBeCloseTo(5 * (0.8 + 0.4 * random));
  expect(delays.slice(0, 6)).toEqual(delays.slice(0, 6).toSorted((a, b) => a - b));
  expect(delays.length).toBeGreaterThan(10);
  expect(delays.length).toBeLessThan(20);
});

test('the next attempt is not before the time that the receiver asked for, nor after the last one', () => {
  const given = { firstTryAt: start, attempt: 1, now: start, random: 0.5 };
  expect(nextAttempt({ ...given, retryAfterSeconds: 600 })).toEqual(
    new Date('2026-11-25T00:10:00Z'),
  );
  expect(nextAttempt({ ...given, retryAfterSeconds: 999_999 })).toEqual(
    new Date('2026-11-26T00:00:00Z'),
  );
});

test.each([
  [null, null],
  ['120', 120],
  [' 120 ', 120],
  ['Wed, 25 Nov 2026 00:02:00 GMT', 120],
  ['Tue, 24 Nov 2026 00:00:00 GMT', 0],
  ['99999999999', 86_400],
  ['soon', null],
  ['-5', null],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, start)).toBe(seconds);
});
