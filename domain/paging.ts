import { z } from 'zod';

/**
 * Lists that grow answer a plain array of the newest, 100 unless asked otherwise and 200 at most;
 * the rest is reached by the `Link: <…>; rel="next"` header (RFC 8288), whose `before` is the last
 * id of the page. Source: docs/product-decisions.md, Rooms and calls.
 */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(100),
  before: z.uuid().optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** What a list is searched for, trimmed; nothing left means everything. */
export const searchText = z
  .string()
  .trim()
  .max(200, 'Please use at most 200 characters')
  .refine((text) => !text.includes('\0'), 'Please remove the NUL character.');
