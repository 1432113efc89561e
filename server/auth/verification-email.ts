import type { Language } from '#domain/languages.ts';
import { greetingEmail } from './greeting-email.ts';

const texts = {
  en: {
    subject: 'Confirm your email address',
    greeting: 'Hello',
    text: 'Please confirm that this address is yours. The link works for 24 hours.',
    button: 'Confirm this address',
    footer: 'You did not sign up for Rapport? Then do nothing.',
  },
  de: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    greeting: 'Guten Tag',
    text: 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört. Der Link gilt 24 Stunden.',
    button: 'Adresse bestätigen',
    footer: 'Sie haben sich nicht bei Rapport angemeldet? Dann tun Sie nichts.',
  },
} as const;

/** Returns the email that verifies an address, in the account's language. */
export const verificationEmail = (language: Language, firstName: string, url: string) =>
  greetingEmail(texts, language, firstName, url);
