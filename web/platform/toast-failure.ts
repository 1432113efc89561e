import { ApiError } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { isUnauthorized } from '#web/platform/unauthorized.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Shows a failure as a toast. An ended session has its own toast, and only one fits. */
export function toastFailure(error: unknown, description: string, title = t('common.error')): void {
  if (isUnauthorized(error)) return;
  toast({ title, description, tone: 'destructive' });
}

/** Returns the server's message about the failure, if it sent one. */
export const failureReason = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.serverMessage : undefined;

/** Returns the server's message, else `fallback`. */
export const serverMessage = (error: unknown, fallback: string): string =>
  failureReason(error) ?? fallback;
