import { t } from '#web/platform/texts.ts';
import { toast } from '#web/ui/toast-store.ts';

export const redirectDelayMs = 500;

/** Spec section 8: the message of an error that means 'not signed in'. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && /^401: .*Unauthorized/s.test(error.message);

let leaving = false;

/** Says so once, however many requests fail together, and sends the person to sign in again. */
export function redirectWhenUnauthorized(
  error: unknown,
  go = (path: string) => window.location.assign(path),
): void {
  if (leaving || !isUnauthorized(error)) return;
  leaving = true;
  const { pathname, search } = window.location;
  toast({
    title: t('unauthorized.title'),
    description: t('unauthorized.description'),
    tone: 'destructive',
  });
  setTimeout(() => {
    leaving = false;
    go(`/api/login?next=${encodeURIComponent(pathname + search)}`);
  }, redirectDelayMs);
}
