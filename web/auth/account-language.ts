import type { SignedInUser } from '#domain/auth/contract.ts';
import { isCallPath } from '#web/rooms/paths.ts';
import { language, storedLanguage, storeLanguage } from '#web/texts/language.ts';

/**
 * The account's language goes before this browser's. A page that has just opened is opened again in
 * it; one with a call stays, and the next one speaks it.
 */
export function speakAs(
  user: SignedInUser,
  reload: () => void = () => window.location.reload(),
): void {
  if (user.language === null || user.language === language) return;
  storeLanguage(user.language);
  // A browser that keeps no cookies would open the page for ever.
  if (storedLanguage() === user.language && !isCallPath(window.location.pathname)) reload();
}
