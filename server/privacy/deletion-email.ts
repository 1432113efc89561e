import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Your organization on Rapport will be deleted',
    heading: 'Your organization will be deleted',
    text: (admin: string, time: string) =>
      `${admin} scheduled the deletion of your organization. Rooms, calls, playbooks, files, the team and the audit log will be deleted on ${time}.\n\nUntil then, any admin can cancel the deletion in Settings, Privacy.`,
    unnamed: 'An admin',
    button: 'Open privacy settings',
    footer: 'You’re receiving this email because you’re an admin.',
  },
  de: {
    subject: 'Ihre Organisation bei Rapport wird gelöscht',
    heading: 'Ihre Organisation wird gelöscht',
    text: (admin: string, time: string) =>
      `${admin} hat die Löschung Ihrer Organisation geplant. Räume, Gespräche, Playbooks, Dateien, das Team und das Audit-Protokoll werden am ${time} gelöscht.\n\nBis dahin kann jeder Admin die Löschung unter „Einstellungen“, „Datenschutz“ abbrechen.`,
    unnamed: 'Ein Admin',
    button: 'Datenschutzeinstellungen öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Admin sind.',
  },
} as const;

/** Returns the email to an admin about a deletion that another admin has requested. */
export function deletionEmail(
  language: Language,
  admin: string,
  dueAt: Date,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { button, text, unnamed, ...said } = texts[language];
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(dueAt);
  return {
    language,
    ...said,
    text: text(cleanName(admin) ?? unnamed, time),
    button: { label: button, url },
  };
}
