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
        `We found the TXT record of ${domain}, which an admin had claimed. The domain belongs to your organization now: only you make accounts with addresses there.\n\nIf you did not expect this, remove the domain.`,
    },
    missing: {
      subject: (domain: string) => `The TXT record of ${domain} is missing`,
      heading: 'A domain will lose its verification',
      text: (domain: string, time: string) =>
        `The TXT record by which your organization verified ${domain} is not in DNS any more. If it is still missing on ${time}, the domain loses its verification.\n\nFrom then on, single sign-on does not work with addresses there. Where you require it, their owners can sign in with a password instead. The page shows the record to restore.`,
    },
    lost: {
      subject: (domain: string) => `${domain} has lost its verification on Rapport`,
      heading: 'A domain has lost its verification',
      text: (domain: string) =>
        `The TXT record of ${domain} was missing for a week. Single sign-on does not work with addresses there any more. Where you require it, their owners can sign in with a password instead.\n\nTo verify the domain again, restore the record that the page shows, and check it there.`,
    },
    button: 'Open single sign-on',
    footer: 'You receive this mail because you are an admin.',
  },
  de: {
    verified: {
      subject: (domain: string) =>
        `Ihre Organisation bei Rapport hat die Domain ${domain} nachgewiesen`,
      heading: 'Eine Domain wurde nachgewiesen',
      text: (domain: string) =>
        `Wir haben den TXT-Eintrag von ${domain} gefunden; ein Admin hatte die Domain beansprucht. Sie gehört jetzt zu Ihrer Organisation: Mit Adressen dort legen nur Sie Konten an.\n\nWenn Sie das nicht erwartet haben, entfernen Sie die Domain.`,
    },
    missing: {
      subject: (domain: string) => `Der TXT-Eintrag von ${domain} fehlt`,
      heading: 'Der Nachweis einer Domain läuft ab',
      text: (domain: string, time: string) =>
        `Der TXT-Eintrag, mit dem Ihre Organisation die Domain ${domain} nachgewiesen hat, steht nicht mehr im DNS. Fehlt er am ${time} noch immer, gilt die Domain nicht mehr als nachgewiesen.\n\nMit Adressen dort geht Single Sign-on dann nicht mehr. Wo Sie es vorschreiben, ist stattdessen die Anmeldung mit Passwort möglich. Die Seite zeigt den Eintrag, den Sie wiederherstellen müssen.`,
    },
    lost: {
      subject: (domain: string) => `${domain} gilt bei Rapport nicht mehr als nachgewiesen`,
      heading: 'Der Nachweis einer Domain ist abgelaufen',
      text: (domain: string) =>
        `Der TXT-Eintrag von ${domain} hat eine Woche lang gefehlt. Mit Adressen dort geht Single Sign-on nicht mehr. Wo Sie es vorschreiben, ist stattdessen die Anmeldung mit Passwort möglich.\n\nUm die Domain wieder nachzuweisen, stellen Sie den Eintrag wieder her, den die Seite zeigt, und prüfen Sie ihn dort.`,
    },
    button: 'Single Sign-on öffnen',
    footer: 'Sie erhalten diese Mail, weil Sie Admin sind.',
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
