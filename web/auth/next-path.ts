/**
 * Where to go after signing in: the path, search and hash of `?next=`, when it is a path of this
 * very site. Anything that a browser would read as another site is refused (`//evil`, `/\evil`,
 * and what becomes such once tabs and dots are taken out), as is the sign-in page itself.
 */
export function nextPath(search: string, origin: string): string | null {
  const next = new URLSearchParams(search).get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  if (url.origin !== origin || /^\/[/\\]/.test(next) || url.pathname.startsWith('//')) return null;
  if (url.pathname === '/auth') return null;
  return url.pathname + url.search + url.hash;
}

/**
 * The address of the sign-in page that comes back to where the person is.
 * @param email fills in the form
 */
export function signInPath(here: { pathname: string; search: string }, email?: string): string {
  const next = `/auth?next=${encodeURIComponent(here.pathname + here.search)}`;
  return email === undefined ? next : `${next}&email=${encodeURIComponent(email)}`;
}
