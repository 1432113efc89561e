import { z } from 'zod';

export const mostOrigins = 20;
/** A name has at most 253 characters; scheme and port come in addition. */
export const longestOrigin = 300;

const address = z
  .string()
  .trim()
  .pipe(z.url({ protocol: /^https?$/, normalize: true }));
const hostName = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]`;
/** What is on the person's own computer, which browsers trust without https. */
const ownComputer = String.raw`localhost|127\.0\.0\.1|\[::1\]`;
/** No path, query, or credentials, and no character with a meaning in a header. */
const originAlone = new RegExp(
  `^((?:https://(?:${hostName})|http://(?:${ownComputer}))(?::\\d+)?)/$`,
);

/**
 * Returns the origin of a URL that a user entered: https, a complete host name, and at most a port;
 * http only for the own computer, where sites are developed. There are no wildcards, because a single
 * forgotten page on a subdomain could then overlay a call. Null for anything else.
 */
export function originOf(text: string): string | null {
  const normal = address.safeParse(text);
  return (normal.success && originAlone.exec(normal.data)?.[1]) || null;
}
