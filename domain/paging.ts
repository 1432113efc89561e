import { z } from 'zod';

/**
 * Lists that grow return a plain array of the newest items, 100 by default and at most 200. The
 * `Link: <…>; rel="next"` header (RFC 8288) leads to the next page; its `before` is the last id of
 * the page. Source: docs/product-decisions.md, Rooms and calls.
 */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(100),
  before: z.uuid().optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The search text of a list, trimmed; an empty text matches everything. */
export const searchText = z
  .string()
  .trim()
  .max(200, 'Please use at most 200 characters')
  .refine((text) => !text.includes('\0'), 'Please remove the NUL character.');
