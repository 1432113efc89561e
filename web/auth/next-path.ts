/**
 * Returns the destination after signing in: path, search and hash of `?next=`, if it is a path of
 * this site. Null for anything that a browser would resolve to another site (`//evil`, `/\evil`,
 * and what becomes such once tabs and dots are removed), and for the sign-in page itself.
 */
export function nextPath(search: string, origin: string): string | null {
  const next = new URLSearchParams(search).get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  if (url.origin !== origin || /^\/[/\\]/.test(next) || url.pathname.startsWith('//')) return null;
  if (url.pathname === '/auth') return null;
  return url.pathname + url.search + url.hash;
}

/** Where a page that ends in signing in leads to. */
export const signInToApp = '/auth?next=/app';

/** Returns the address of the sign-in page that leads back to the current page. */
export const signInPath = (here: { pathname: string; search: string }): string =>
  `/auth?next=${encodeURIComponent(here.pathname + here.search)}`;
