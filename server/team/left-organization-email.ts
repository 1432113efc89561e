import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'You left your organization on Rapport',
    heading: 'You left your organization',
    text: 'You accepted an invitation to another organization and no longer have access to your previous one’s data.',
    deleted: 'You were its only member, so its data will be deleted after 7 days.',
    button: 'Open your profile',
    footer: 'Wasn’t you? Choose “Forgot password?” on the sign-in page, and tell your admin.',
  },
  de: {
    subject: 'Sie haben Ihre Organisation auf Rapport verlassen',
    heading: 'Sie haben Ihre Organisation verlassen',
    text: 'Sie haben eine Einladung in eine andere Organisation angenommen und keinen Zugriff mehr auf die Daten der bisherigen.',
    deleted: 'Sie waren ihr einziges Mitglied, daher werden ihre Daten nach 7 Tagen gelöscht.',
    button: 'Profil öffnen',
    footer:
      'Das waren nicht Sie? Wählen Sie auf der Anmeldeseite „Passwort vergessen?“ und informieren Sie Ihren Admin.',
  },
} as const;

/**
 * Returns the email to a person who left an organization for another; `isDeleted` if it has no members left.
 */
export function leftOrganizationEmail(
  language: Language,
  isDeleted: boolean,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { text, deleted, button, ...said } = texts[language];
  const whole = isDeleted ? `${text} ${deleted}` : text;
  return { language, ...said, text: whole, button: { label: button, url } };
}
