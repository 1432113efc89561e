import type { Language } from '#domain/languages.ts';
import { greetingEmail } from './greeting-email.ts';

const texts = {
  en: {
    subject: 'Confirm your email address',
    greeting: 'Hello',
    text: 'Please confirm that this address is yours. The link is valid for 24 hours.',
    button: 'Confirm email address',
    footer: 'Didn’t sign up for Rapport? You can ignore this email.',
  },
  de: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    greeting: 'Guten Tag',
    text: 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört. Der Link ist 24 Stunden gültig.',
    button: 'E-Mail-Adresse bestätigen',
    footer:
      'Sie haben sich nicht bei Rapport registriert? Dann können Sie diese E-Mail ignorieren.',
  },
} as const;

/** Returns the email that verifies an address, in the account's language. */
export const verificationEmail = (language: Language, firstName: string, url: string) =>
  greetingEmail(texts, language, firstName, url);
