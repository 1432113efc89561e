import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'The email address of your Rapport account was changed',
    heading: 'Your email address was changed',
    text: (address: string) =>
      `Your organization’s directory changed your account’s email address to ${address}. Your password, passkeys, authenticator app and sessions were removed.\n\nTo sign in with the new address, use single sign-on, or choose a new password with “Forgot password?”.`,
    button: 'Sign in',
    footer: 'Not your address? Tell your admin right away: the account can be accessed from there.',
  },
  de: {
    subject: 'Die E-Mail-Adresse Ihres Rapport-Kontos wurde geändert',
    heading: 'Ihre E-Mail-Adresse wurde geändert',
    text: (address: string) =>
      `Das Verzeichnis Ihrer Organisation hat die Adresse Ihres Kontos in ${address} geändert. Passwort, Passkeys, Authenticator-App und Sitzungen wurden entfernt.\n\nUm sich mit der neuen Adresse anzumelden, nutzen Sie Single Sign-on oder wählen Sie über „Passwort vergessen?“ ein neues Passwort.`,
    button: 'Anmelden',
    footer:
      'Nicht Ihre Adresse? Informieren Sie sofort Ihren Admin: Von dort ist der Zugriff auf das Konto möglich.',
  },
} as const;

/** Returns the email to the former address of an account whose address a directory has changed. */
export function addressMovedEmail(
  language: Language,
  address: string,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { button, text, ...said } = texts[language];
  return { language, ...said, text: text(address), button: { label: button, url } };
}
