import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { z } from 'zod';

/**
 * How far ids may be ahead of the clock, in milliseconds. If the clock is set back farther, ids
 * follow it, because queries find rows, such as the events of a day, by the time in their ids.
 */
const mostAheadMs = 60_000;
/** Leaves room for as many ids again within one millisecond. */
const mostFirst = 2 ** 31;

let last = { msecs: 0, seq: 0 };

/**
 * Returns a new id of the given kind: a UUID version 7, so that ids sort by time. Ids of one
 * process sort in the order of their creation (RFC 9562, 6.2), unless the clock was set back by
 * more than a minute.
 * @param at the time to encode, for rows about the past
 */
export function newId<T extends z.ZodType<string>>(kind: T, at?: Date): z.infer<T> {
  return kind.parse(at ? v7({ msecs: at.getTime() }) : v7(nextPlace(Date.now()))) as z.infer<T>;
}

function nextPlace(now: number): { msecs: number; seq: number } {
  const ahead = last.msecs - now;
  const follows = ahead >= 0 && ahead <= mostAheadMs;
  last = follows
    ? { msecs: last.msecs, seq: last.seq + 1 }
    : { msecs: now, seq: randomInt(mostFirst) };
  return last;
}
