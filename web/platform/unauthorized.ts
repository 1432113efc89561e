import { t } from '#web/platform/texts.ts';
import { toast } from '#web/ui/toast-store.ts';

export const redirectDelayMs = 500;

/** Spec section 8: the message of an error that means 'not signed in'. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && /^401: .*Unauthorized/s.test(error.message);

let leaving = false;
let returnPath: string | null = null;

/** Whether the page is leaving for the sign-in page. Input is kept as a draft, so no dialog asks. */
export const isSigningInAgain = (): boolean => leaving;

/** Sets where signing in again returns to, if that is not this address. Null for this address. */
export function returnTo(path: string | null): void {
  returnPath = path;
}

/** Shows one toast, however many requests fail together, and redirects to sign in again. */
export function redirectWhenUnauthorized(
  error: unknown,
  go = (path: string) => window.location.assign(path),
): void {
  if (leaving || !isUnauthorized(error)) return;
  leaving = true;
  const { pathname, search } = window.location;
  toast({
    title: t('unauthorized.title'),
    // Spec section 8: billing has its own sentence.
    description: /\/settings\/billing\/?$/.test(pathname)
      ? t('billing.unauthorized')
      : t('unauthorized.description'),
    tone: 'destructive',
  });
  const next = returnPath ?? pathname + search;
  setTimeout(() => {
    go(`/api/login?next=${encodeURIComponent(next)}`);
    leaving = false;
  }, redirectDelayMs);
}
