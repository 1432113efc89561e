import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Two-factor sign-in for your Rapport account was turned off',
    heading: 'Two-factor sign-in is off',
    text: 'Your server’s operator removed your authenticator app, recovery codes and passkeys, as requested in your name, and signed you out everywhere.\n\nSign in with your password, then set up a new authenticator app or passkey on your profile.',
    button: 'Open your profile',
    footer: 'Didn’t request this? Choose a new password right away, and tell your admin.',
  },
  de: {
    subject: 'Die Zwei-Faktor-Anmeldung Ihres Rapport-Kontos wurde ausgeschaltet',
    heading: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    text: 'Der Betreiber Ihres Servers hat Ihre Authenticator-App, Wiederherstellungscodes und Passkeys entfernt, wie in Ihrem Namen angefragt, und Sie überall abgemeldet.\n\nMelden Sie sich mit Ihrem Passwort an und richten Sie in Ihrem Profil eine neue Authenticator-App oder einen Passkey ein.',
    button: 'Profil öffnen',
    footer:
      'Sie haben das nicht angefragt? Wählen Sie sofort ein neues Passwort und informieren Sie Ihren Admin.',
  },
} as const;

/** Returns the email to an owner whose factors the operator removed (operator/forget-factors.ts). */
export function factorsOffEmail(language: Language, url: string): Omit<EmailContent, 'brand'> {
  const { button, ...said } = texts[language];
  return { language, ...said, button: { label: button, url } };
}
