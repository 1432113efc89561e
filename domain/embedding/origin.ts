import { z } from 'zod';

export const mostOrigins = 20;
/** A name has 253 characters at most; scheme and port come to it. */
export const longestOrigin = 300;

const address = z
  .string()
  .trim()
  .pipe(z.url({ protocol: /^https$/, normalize: true }));
/** No path, no query, nobody's name and password; and nothing that means something in a header. */
const originAlone = /^(https:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d+)?)\/$/;

/**
 * The origin that somebody wrote: https, a whole name, at most a port. No wildcard: one forgotten page
 * on a subdomain would be enough to lay something over a call. Null for anything else.
 */
export function originOf(text: string): string | null {
  const normal = address.safeParse(text);
  return (normal.success && originAlone.exec(normal.data)?.[1]) || null;
}
