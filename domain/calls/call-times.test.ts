import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import {
  endOfCall,
  longestSpanMs,
  mostAheadMs,
  oldestStartMs,
  startOfCall,
  timesOfDesertedCall,
} from './call-times.ts';

const now = new Date('2026-03-04T12:00:00Z');
const fromNow = (ms: number) => new Date(now.getTime() + ms);
const hours = 3_600_000;
const notATime = new Date(Number.NaN);
const year9999 = new Date('9999-12-31T23:59:59Z');
const refusalOf = (decide: () => unknown) => {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.status, error.code, error.errors?.[0]?.path];
  }
};

describe('the start of a call', () => {
  test('is the server’s time where the client sends none', () => {
    expect(startOfCall(undefined, now)).toBe(now);
  });

  test.each([mostAheadMs, 0, -1, -3 * hours, -oldestStartMs])(
    'of %i ms from now is kept',
    (offsetMs) => {
      expect(startOfCall(fromNow(offsetMs), now)).toEqual(fromNow(offsetMs));
    },
  );

  test.each([
    ['61 seconds ahead', fromNow(61_000), 'start_in_future'],
    ['1 ms beyond the limit', fromNow(mostAheadMs + 1), 'start_in_future'],
    ['in the year 9999', year9999, 'start_in_future'],
    ['31 days ago', fromNow(-31 * 24 * hours), 'start_too_old'],
    ['1 ms more than 30 days ago', fromNow(-oldestStartMs - 1), 'start_too_old'],
    ['that is no time', notATime, 'unreadable_time'],
  ])('%s is refused', (_, claimed, code) => {
    expect(refusalOf(() => startOfCall(claimed, now))).toEqual([400, code, 'startedAt']);
  });
});

describe('the end of a call without attendance', () => {
  const startedAt = fromNow(-2 * hours);
  const end = (claimed: Date | undefined, start = startedAt) =>
    endOfCall({ startedAt: start, isAttended: false }, claimed, now);

  test.each([mostAheadMs, 0, -1 * hours, -2 * hours])('of %i ms from now is kept', (offsetMs) => {
    expect(end(fromNow(offsetMs))).toEqual(fromNow(offsetMs));
  });

  test('24 hours after the start is kept', () => {
    const start = fromNow(-48 * hours);
    const last = new Date(start.getTime() + longestSpanMs);
    expect(end(last, start)).toEqual(last);
  });

  test.each([
    ['61 seconds ahead', fromNow(61_000), startedAt, 'end_in_future'],
    ['in the year 9999', year9999, startedAt, 'end_in_future'],
    ['1 ms before the start', fromNow(-2 * hours - 1), startedAt, 'end_before_start'],
    ['25 hours after the start', fromNow(-23 * hours), fromNow(-48 * hours), 'call_too_long'],
    ['that is no time', notATime, startedAt, 'unreadable_time'],
    ['left out 25 hours after the start', undefined, fromNow(-25 * hours), 'call_too_long'],
  ])('%s is refused', (_, claimed, start, code) => {
    expect(refusalOf(() => end(claimed, start))).toEqual([400, code, 'endedAt']);
  });

  test('is the server’s time where the client sends none, and never before the start', () => {
    expect(end(undefined)).toEqual(now);
    expect(end(undefined, fromNow(30_000))).toEqual(fromNow(30_000));
  });
});

test.each([undefined, year9999, notATime, fromNow(-3 * hours), fromNow(1)])(
  'an attended call ends at the server’s time, whatever the client sends: %s',
  (claimed) => {
    for (const startedAt of [fromNow(-2 * hours), fromNow(-25 * hours)])
      expect(endOfCall({ startedAt, isAttended: true }, claimed, now)).toEqual(now);
  },
);

describe('a deserted call', () => {
  const createdAt = fromNow(-5 * hours);
  const lastSeenAt = fromNow(-1 * hours);
  const times = (startedAt: Date, isAttended = false) =>
    timesOfDesertedCall({ startedAt, isAttended, createdAt }, lastSeenAt);

  test('ends when a client was last seen, and keeps its start', () => {
    const startedAt = fromNow(-6 * hours);
    expect(times(startedAt)).toEqual({ startedAt, endedAt: lastSeenAt });
  });

  test('lasts more than 24 hours only by the server’s clock', () => {
    const startedAt = fromNow(-240 * hours);
    expect(times(startedAt)).toEqual({ startedAt: createdAt, endedAt: lastSeenAt });
    expect(times(startedAt, true)).toEqual({ startedAt, endedAt: lastSeenAt });
  });

  test('never ends before its start', () => {
    const startedAt = fromNow(0);
    expect(times(startedAt)).toEqual({ startedAt, endedAt: startedAt });
  });
});
