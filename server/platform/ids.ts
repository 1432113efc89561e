import { v7 } from 'uuid';
import type { z } from 'zod';

/**
 * A new id of the given kind: UUID version 7, so that ids sort by time.
 * @param at the time to put into it, for rows about the past
 */
export function newId<T extends z.ZodType<string>>(kind: T, at?: Date): z.infer<T> {
  return kind.parse(v7(at ? { msecs: at.getTime() } : {})) as z.infer<T>;
}
