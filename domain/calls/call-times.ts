import { invalid } from '#domain/errors.ts';

/** How far a client's clock may be ahead of the server's. */
export const mostAheadMs = 60_000;
/** The longest time between a start and an end where a client sends one of them. */
export const longestSpanMs = 24 * 3_600_000;
/** The age of the oldest start that a client may send. */
export const oldestStartMs = 30 * 24 * 3_600_000;

/**
 * Returns the start of a new call: the client's if it sends a plausible one, else the server's.
 * @throws DomainError 400
 */
export function startOfCall(claimedStart: Date | undefined, now: Date): Date {
  if (claimedStart === undefined) return now;
  const aheadMs = claimedStart.getTime() - now.getTime();
  if (Number.isNaN(aheadMs)) throw unreadableTime('startedAt');
  if (aheadMs > mostAheadMs) throw startInFuture();
  if (aheadMs < -oldestStartMs) throw startTooOld();
  return claimedStart;
}

interface EndingCall {
  startedAt: Date;
  /** Whether a participant ever connected. If so, the server's clock decides. */
  isAttended: boolean;
}

/**
 * Returns the end of a call that a client ends now: the server's time for an attended call or if
 * the client sends none, else the client's.
 * @throws DomainError 400 for a call without attendance whose end is implausible
 */
export function endOfCall(call: EndingCall, claimedEnd: Date | undefined, now: Date): Date {
  const serverEnd = later(now, call.startedAt);
  if (call.isAttended) return serverEnd;
  const end = claimedEnd ?? serverEnd;
  const spanMs = end.getTime() - call.startedAt.getTime();
  if (Number.isNaN(spanMs)) throw unreadableTime('endedAt');
  if (end.getTime() - now.getTime() > mostAheadMs) throw endInFuture();
  if (spanMs < 0) throw endBeforeStart();
  if (spanMs > longestSpanMs) throw spanTooLong();
  return end;
}

/**
 * Returns the times of a call that the server ends because no client did. The end is when a client
 * was last seen. Without attendance, a start more than 24 hours earlier is replaced by the creation
 * time.
 */
export function timesOfDesertedCall(
  { startedAt, isAttended, createdAt }: EndingCall & { createdAt: Date },
  lastSeenAt: Date,
): { startedAt: Date; endedAt: Date } {
  const spanMs = lastSeenAt.getTime() - startedAt.getTime();
  const start = isAttended || spanMs <= longestSpanMs ? startedAt : createdAt;
  return { startedAt: start, endedAt: later(lastSeenAt, start) };
}

const later = (one: Date, other: Date) => (one > other ? one : other);

const unreadableTime = (path: 'startedAt' | 'endedAt') =>
  invalid('unreadable_time', 'Please send a time such as 2026-01-31T09:30:00Z here.', path);
const startInFuture = () =>
  invalid(
    'start_in_future',
    'This start is in the future. Please check your clock, or leave the start out: the call then starts now.',
    'startedAt',
  );
const startTooOld = () =>
  invalid(
    'start_too_old',
    'This start is more than 30 days ago. Please send a start within the last 30 days.',
    'startedAt',
  );
const endInFuture = () =>
  invalid(
    'end_in_future',
    'This end is in the future. Please check your clock, and send a time that has passed.',
    'endedAt',
  );
const endBeforeStart = () =>
  invalid(
    'end_before_start',
    'This end is before the start of the call. Please send a later end.',
    'endedAt',
  );
const spanTooLong = () =>
  invalid(
    'call_too_long',
    'This end is more than 24 hours after the start of the call. Please send an end within 24 hours of the start.',
    'endedAt',
  );
