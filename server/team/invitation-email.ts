import type { Language } from '#domain/languages.ts';
import type { OrganizationBrand } from '#domain/organizations/contract.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    unnamed: 'a team',
    subject: (name: string) => `Join ${name} on Rapport`,
    heading: (name: string) => `Join ${name}`,
    text: (name: string, days: number) =>
      `You’re invited to join ${name} on Rapport. The link works once and is valid for ${days} days.`,
    button: 'Accept the invitation',
    footer: 'Not expecting this? You can ignore this email.',
  },
  de: {
    unnamed: 'einem Team',
    subject: (name: string) => `Einladung zu ${name} auf Rapport`,
    heading: (name: string) => `Einladung zu ${name}`,
    text: (name: string, days: number) =>
      `Sie wurden zu ${name} auf Rapport eingeladen. Der Link funktioniert einmal und ist ${days} Tage gültig.`,
    button: 'Einladung annehmen',
    footer: 'Sie haben das nicht erwartet? Dann können Sie diese E-Mail ignorieren.',
  },
} as const;

/** Returns the invitation mail. Its only organization data is the name: cleaned, or a neutral word. */
export function invitationEmail(
  language: Language,
  brand: OrganizationBrand | null,
  url: string,
  lifeDays: number,
): EmailContent {
  const { unnamed, subject, heading, text, button, footer } = texts[language];
  const name = cleanName(brand?.name ?? '') ?? unnamed;
  return {
    language,
    subject: subject(name),
    heading: heading(name),
    text: text(name, lifeDays),
    button: { label: button, url },
    footer,
    brand,
  };
}
