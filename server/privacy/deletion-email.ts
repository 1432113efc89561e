import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Your organization on Rapport will be deleted',
    heading: 'Your organization will be deleted',
    text: (admin: string, time: string) =>
      `${admin} has requested the deletion of your organization. Rooms, calls, playbooks, files, team and audit log will be deleted on ${time}.\n\nUntil then, any admin can keep the organization in Settings, Privacy.`,
    button: 'Open privacy settings',
    footer: 'You receive this mail because you are an admin.',
  },
  de: {
    subject: 'Ihre Organisation bei Rapport wird gelöscht',
    heading: 'Ihre Organisation wird gelöscht',
    text: (admin: string, time: string) =>
      `${admin} möchte Ihre Organisation löschen lassen. Räume, Gespräche, Playbooks, Dateien, Team und Protokoll werden am ${time} gelöscht.\n\nBis dahin kann jeder Admin die Organisation unter Einstellungen, Datenschutz, behalten.`,
    button: 'Datenschutz-Einstellungen öffnen',
    footer: 'Sie erhalten diese Mail, weil Sie Admin sind.',
  },
} as const;

/** Returns the email to an admin about a deletion that another admin has requested. */
export function deletionEmail(
  language: Language,
  admin: string,
  dueAt: Date,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { button, text, ...said } = texts[language];
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(dueAt);
  return { language, ...said, text: text(admin, time), button: { label: button, url } };
}
