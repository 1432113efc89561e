import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** What the check of a domain's record found that admins should know. */
export type DomainNews = 'verified' | 'missing' | 'lost';

const texts = {
  en: {
    verified: {
      subject: (domain: string) => `Your organization on Rapport has verified ${domain}`,
      heading: 'A domain was verified',
      text: (domain: string) =>
        `We found the TXT record for ${domain}, which an admin had added. The domain now belongs to your organization: only you can create accounts with its addresses.\n\nIf you didn’t expect this, remove the domain.`,
    },
    missing: {
      subject: (domain: string) => `The TXT record of ${domain} is missing`,
      heading: 'A domain will lose its verification',
      text: (domain: string, time: string) =>
        `The TXT record that verifies ${domain} for your organization is missing from DNS. If it’s still missing on ${time}, the domain will lose its verification.\n\nSingle sign-on will then stop working for its addresses. Where you require it, members can sign in with a password instead. The page shows the record to restore.`,
    },
    lost: {
      subject: (domain: string) => `${domain} has lost its verification on Rapport`,
      heading: 'A domain has lost its verification',
      text: (domain: string) =>
        `The TXT record for ${domain} was missing for a week. Single sign-on no longer works for its addresses. Where you require it, members can sign in with a password instead.\n\nTo verify the domain again, restore the record that the page shows, then check it there.`,
    },
    button: 'Open single sign-on',
    footer: 'You’re receiving this email because you’re an admin.',
  },
  de: {
    verified: {
      subject: (domain: string) =>
        `Ihre Organisation bei Rapport hat die Domain ${domain} verifiziert`,
      heading: 'Eine Domain wurde verifiziert',
      text: (domain: string) =>
        `Wir haben den TXT-Eintrag von ${domain} gefunden; ein Admin hatte die Domain hinzugefügt. Sie gehört jetzt zu Ihrer Organisation: Nur Sie können Konten mit ihren Adressen erstellen.\n\nWenn Sie das nicht erwartet haben, entfernen Sie die Domain.`,
    },
    missing: {
      subject: (domain: string) => `Der TXT-Eintrag von ${domain} fehlt`,
      heading: 'Eine Domain verliert ihre Verifizierung',
      text: (domain: string, time: string) =>
        `Der TXT-Eintrag, der die Domain ${domain} für Ihre Organisation verifiziert, fehlt im DNS. Fehlt er am ${time} noch immer, verliert die Domain ihre Verifizierung.\n\nSingle Sign-on funktioniert dann für ihre Adressen nicht mehr. Wo Sie es verlangen, ist stattdessen die Anmeldung mit Passwort möglich. Die Seite zeigt den Eintrag, den Sie wiederherstellen müssen.`,
    },
    lost: {
      subject: (domain: string) => `${domain} hat bei Rapport die Verifizierung verloren`,
      heading: 'Eine Domain hat ihre Verifizierung verloren',
      text: (domain: string) =>
        `Der TXT-Eintrag von ${domain} hat eine Woche lang gefehlt. Single Sign-on funktioniert für ihre Adressen nicht mehr. Wo Sie es verlangen, ist stattdessen die Anmeldung mit Passwort möglich.\n\nUm die Domain wieder zu verifizieren, stellen Sie den Eintrag wieder her, den die Seite zeigt, und prüfen Sie ihn dort.`,
    },
    button: 'Single Sign-on öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Admin sind.',
  },
} as const;

/**
 * Returns the email to an admin about the check of a domain's record.
 * @param endsAt when the verification ends if the record stays missing
 * @param home the server's public URL, for the link
 */
export function domainCheckEmail(
  language: Language,
  news: DomainNews,
  { domain, endsAt }: { domain: string; endsAt: Date | null },
  home: string,
): Omit<EmailContent, 'brand'> {
  const { button, footer, [news]: said } = texts[language];
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(endsAt ?? new Date());
  return {
    ...{ language, footer, heading: said.heading, subject: said.subject(domain) },
    text: said.text(domain, time),
    button: { label: button, url: `${home}/app/settings/sso` },
  };
}
