import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Two-factor sign-in of your Rapport account was turned off',
    heading: 'Your password alone opens your account',
    text: 'Whoever runs this installation has removed your authenticator app, recovery codes and passkeys, as was asked in your name, and has signed you out everywhere.\n\nSign in with your password, and set up a new authenticator app or passkey on your profile.',
    button: 'Open your profile',
    footer:
      'It was not you who asked? Choose another password at once, and tell whoever runs this installation.',
  },
  de: {
    subject: 'Die Anmeldung in zwei Schritten Ihres Rapport-Kontos wurde ausgeschaltet',
    heading: 'Ihr Passwort allein öffnet Ihr Konto',
    text: 'Wer diese Installation betreibt, hat Ihre Authenticator-App, Wiederherstellungscodes und Passkeys entfernt, wie es in Ihrem Namen erbeten wurde, und Sie überall abgemeldet.\n\nMelden Sie sich mit Ihrem Passwort an, und richten Sie in Ihrem Profil eine neue Authenticator-App oder einen Passkey ein.',
    button: 'Profil öffnen',
    footer:
      'Das waren nicht Sie? Wählen Sie sofort ein anderes Passwort, und sagen Sie denen Bescheid, die diese Installation betreiben.',
  },
} as const;

/** Returns the email to an owner whose factors the operator removed (operator/forget-factors.ts). */
export function factorsOffEmail(language: Language, url: string): Omit<EmailContent, 'brand'> {
  const { button, ...said } = texts[language];
  return { language, ...said, button: { label: button, url } };
}
