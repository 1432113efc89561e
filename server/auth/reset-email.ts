import type { Language } from '#domain/languages.ts';
import { greetingEmail } from './greeting-email.ts';

const texts = {
  en: {
    subject: 'Reset your Rapport password',
    greeting: 'Hello',
    text: 'You requested a new password. The link works once and is valid for one hour.',
    button: 'Choose a new password',
    footer: 'Didn’t request this? You can ignore this email; your password stays the same.',
  },
  de: {
    subject: 'Setzen Sie Ihr Rapport-Passwort zurück',
    greeting: 'Guten Tag',
    text: 'Sie haben ein neues Passwort angefordert. Der Link funktioniert einmal und ist eine Stunde gültig.',
    button: 'Neues Passwort wählen',
    footer:
      'Sie haben das nicht angefordert? Dann können Sie diese E-Mail ignorieren; Ihr Passwort bleibt gleich.',
  },
} as const;

/** Returns the email with a reset link, in the account's language. */
export const resetEmail = (language: Language, firstName: string, url: string) =>
  greetingEmail(texts, language, firstName, url);
