import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'The email address of your Rapport account was changed',
    heading: 'Your email address was changed',
    text: (address: string) =>
      `Your organization’s directory has changed the address of your account to ${address}. Your password, passkeys, authenticator app and sessions were removed.\n\nSign in with the new address: with single sign-on, or after choosing a new password with “Forgot password”.`,
    button: 'Sign in',
    footer: 'This is not your address? Tell your admin now: the account can be opened from there.',
  },
  de: {
    subject: 'Die E-Mail-Adresse Ihres Rapport-Kontos wurde geändert',
    heading: 'Ihre E-Mail-Adresse wurde geändert',
    text: (address: string) =>
      `Das Verzeichnis Ihrer Organisation hat die Adresse Ihres Kontos in ${address} geändert. Passwort, Passkeys, Authenticator-App und Anmeldungen wurden entfernt.\n\nMelden Sie sich mit der neuen Adresse an: über Single Sign-on, oder nachdem Sie mit „Passwort vergessen“ ein neues Passwort gewählt haben.`,
    button: 'Anmelden',
    footer:
      'Das ist nicht Ihre Adresse? Sagen Sie sofort Ihrem Admin Bescheid: Von dort lässt sich das Konto öffnen.',
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
