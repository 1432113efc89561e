import type { SignedInUser } from '#domain/auth/contract.ts';
import { isCallPath } from '#web/rooms/paths.ts';
import { language, storedLanguage, storeLanguage } from '#web/texts/language.ts';

/**
 * The account's language has priority over the browser's. A page that has just opened is reloaded
 * in it; a call page stays, and the next page uses the language.
 */
export function speakAs(
  user: SignedInUser,
  reload: () => void = () => window.location.reload(),
): void {
  if (user.language === null || user.language === language) return;
  storeLanguage(user.language);
  // A browser without cookies would reload forever.
  if (storedLanguage() === user.language && !isCallPath(window.location.pathname)) reload();
}
