import { v7 } from 'uuid';
import type { z } from 'zod';

/**
 * A new id of the given kind: UUID version 7, so that ids sort by time, and those
 * of one process by the order in which they were made (RFC 9562, 6.2: the library counts only
 * where it is given no time).
 * @param at the time to put into it, for rows about the past
 */
export function newId<T extends z.ZodType<string>>(kind: T, at?: Date): z.infer<T> {
  return kind.parse(at ? v7({ msecs: at.getTime() }) : v7()) as z.infer<T>;
}
