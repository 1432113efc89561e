import type { Language } from '#domain/languages.ts';
import { greetingEmail } from './greeting-email.ts';

const texts = {
  en: {
    subject: 'Reset your Rapport password',
    greeting: 'Hello',
    text: 'You asked for a new password. The link works once, for one hour.',
    button: 'Choose a new password',
    footer: 'You did not ask for this? Then do nothing: your password stays as it is.',
  },
  de: {
    subject: 'Setzen Sie Ihr Rapport-Passwort zurück',
    greeting: 'Guten Tag',
    text: 'Sie möchten ein neues Passwort. Der Link gilt einmal, eine Stunde lang.',
    button: 'Neues Passwort wählen',
    footer: 'Sie haben nicht darum gebeten? Dann tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
} as const;

/** Returns the email with a reset link, in the account's language. */
export const resetEmail = (language: Language, firstName: string, url: string) =>
  greetingEmail(texts, language, firstName, url);
