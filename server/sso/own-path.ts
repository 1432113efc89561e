/**
 * A path of this very site, or null. Browsers drop tabs and line breaks from an address, and read a
 * backslash as a slash: `/\evil` and what becomes such is another site (attack 30).
 */
export function ownPath(next: string | null | undefined): string | null {
  const isOwn = typeof next === 'string' && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next);
  return isOwn && next.length <= 2000 ? next : null;
}

/** Where a sign-in ends. */
export const landingPath = (next: string | null | undefined): string => ownPath(next) ?? '/';

export const testPath = (id: string): string => `/app/settings/sso?test=${id}`;
