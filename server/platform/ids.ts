import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { z } from 'zod';

/**
 * How far ids may be ahead of the clock, in milliseconds. Where the clock was set back farther, ids follow
 * it: rows are looked for by the time in their ids, such as events of a day.
 */
const mostAheadMs = 60_000;
/** Room above it for as many ids again within one millisecond. */
const mostFirst = 2 ** 31;

let last = { msecs: 0, seq: 0 };

/**
 * Returns a new id of the given kind: UUID version 7, so that ids sort by time, and those of one process
 * in the order in which they were made (RFC 9562, 6.2), unless the clock was set back by more than a minute.
 * @param at the time to put into it, for rows about the past
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
