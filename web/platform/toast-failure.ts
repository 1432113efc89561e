import { ApiError } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { isUnauthorized } from '#web/platform/unauthorized.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Says that something failed. Signed out is left to its own toast, which there is room for only one of. */
export function toastFailure(error: unknown, description: string, title = t('common.error')): void {
  if (isUnauthorized(error)) return;
  toast({ title, description, tone: 'destructive' });
}

/** The sentence in which the server explains the failure, if it does. */
export const failureReason = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.serverMessage : undefined;

export const serverMessage = (error: unknown, fallback: string): string =>
  failureReason(error) ?? fallback;
