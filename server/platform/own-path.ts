const longestPath = 2000;

/**
 * Returns a path of this site, or null. Browsers drop tabs and line breaks from a URL and read a backslash as
 * a slash, so `/\evil` and its variants lead to another site (attack 30).
 */
export function ownPath(next: unknown): string | null {
  const isOwn = typeof next === 'string' && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next);
  return isOwn && next.length <= longestPath ? next : null;
}
