import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Your Rapport account joined your organization',
    heading: 'Your account joined your organization',
    text: 'Your organization has verified that your email domain is its own, and has added your account. The password, passkeys, authenticator app and sessions from before were removed.\n\nSign in with single sign-on. If your organization has none, choose a new password with “Forgot password”.',
    button: 'Sign in',
    footer: 'You did not expect this? Ask your admin.',
  },
  de: {
    subject: 'Ihr Rapport-Konto gehört jetzt zu Ihrer Organisation',
    heading: 'Ihr Konto gehört jetzt zu Ihrer Organisation',
    text: 'Ihre Organisation hat nachgewiesen, dass Ihre E-Mail-Domain ihr gehört, und Ihr Konto aufgenommen. Passwort, Passkeys, Authenticator-App und Anmeldungen von vorher wurden entfernt.\n\nMelden Sie sich über Single Sign-on an. Hat Ihre Organisation keines, wählen Sie mit „Passwort vergessen“ ein neues Passwort.',
    button: 'Anmelden',
    footer: 'Damit haben Sie nicht gerechnet? Fragen Sie Ihren Admin.',
  },
} as const;

/** Returns the email to a person whose existing account joined through a verified domain. */
export function joinedEmail(language: Language, url: string): Omit<EmailContent, 'brand'> {
  const { button, ...said } = texts[language];
  return { language, ...said, button: { label: button, url } };
}
