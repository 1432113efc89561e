/**
 * Returns a path of this site, or null. Browsers drop tabs and line breaks from a URL and read a backslash as
 * a slash, so `/\evil` and its variants lead to another site (attack 30).
 */
export function ownPath(next: string | null | undefined): string | null {
  const isOwn = typeof next === 'string' && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next);
  return isOwn && next.length <= 2000 ? next : null;
}

/** Returns the path at which a sign-in ends. */
export const landingPath = (next: string | null | undefined): string => ownPath(next) ?? '/';

export const testPath = (id: string): string => `/app/settings/sso?test=${id}`;
