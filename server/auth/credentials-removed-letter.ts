import type { Language } from '#domain/languages.ts';
import type { Letter } from '#server/mail/letter.ts';

const texts = {
  en: {
    subject: 'Earlier sign-ins to your Rapport account were removed',
    heading: 'Your address is confirmed',
    text: 'Before an address is confirmed, anyone can set up an account with it. So we removed what was set up before: passwords, authenticator apps, passkeys, and sessions on other devices.\n\nSet up your authenticator app or passkey again on your profile.',
    button: 'Open your profile',
    footer: 'If you did not confirm this address, choose “Forgot password?” on the sign-in page.',
  },
  de: {
    subject: 'Frühere Anmeldungen an Ihrem Rapport-Konto wurden entfernt',
    heading: 'Ihre Adresse ist bestätigt',
    text: 'Bevor eine Adresse bestätigt ist, kann jeder ein Konto mit ihr einrichten. Deshalb haben wir entfernt, was vorher eingerichtet war: Passwörter, Authenticator-Apps, Passkeys und Sitzungen auf anderen Geräten.\n\nRichten Sie Ihre Authenticator-App oder Ihren Passkey in Ihrem Profil neu ein.',
    button: 'Profil öffnen',
    footer:
      'Wenn Sie diese Adresse nicht bestätigt haben, wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
  },
} as const;

/** The mail to the owner of an address after its first verification removed something. */
export function credentialsRemovedLetter(language: Language, url: string): Omit<Letter, 'brand'> {
  const { button, ...said } = texts[language];
  return { language, ...said, button: { label: button, url } };
}
