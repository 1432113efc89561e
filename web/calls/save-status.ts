import '#web/platform/call-texts.ts';
import { t } from '#web/platform/texts.ts';
import { locale } from '#web/texts/language.ts';

const justNowSeconds = 5;

/** Spec section 2, Notes tab: just now, N seconds ago, N minutes ago, else a clock time. */
export function savedAgo(savedAt: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - savedAt) / 1000));
  if (seconds < justNowSeconds) return t('call.status.justNow');
  if (seconds < 60) return t('call.status.seconds', { count: seconds });
  if (seconds < 3600) return t('call.status.minutes', { count: Math.floor(seconds / 60) });
  return new Date(savedAt).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

interface Saving {
  unsaved: boolean;
  savedAt: number | null;
  refused: string | null;
}

/** Returns the save status of the notes; empty before the first edit. */
export function saveStatus({ unsaved, savedAt, refused }: Saving): string {
  if (refused !== null) return t('call.status.refused', { message: refused });
  if (unsaved) return t('call.status.saving');
  return savedAt === null ? '' : t('call.status.saved');
}
