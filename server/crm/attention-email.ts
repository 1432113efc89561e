import type { CrmConnection } from '#domain/crm/contract.ts';
import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

export type AttentionReason = NonNullable<CrmConnection['attention']>;

const texts = {
  en: {
    subject: (name: string) => `${name} needs attention`,
    heading: (name: string) => `Calls no longer reach ${name}`,
    revoked: (name: string) => `${name} no longer accepts Rapport’s access.`,
    forbidden: (name: string) =>
      `The account that an admin connected may not add calls or tasks in ${name}.`,
    revokedNext: (name: string) =>
      `Connect ${name} again in Settings, Integrations. Calls that wait are sent then.`,
    forbiddenNext: (name: string) =>
      `Change the account’s rights in ${name}, then connect again in Settings, Integrations, or connect another account there. Calls that wait are sent then.`,
    button: 'Open integrations',
    footer: 'You’re receiving this email because you’re an admin.',
  },
  de: {
    subject: (name: string) => `${name} braucht Ihre Aufmerksamkeit`,
    heading: (name: string) => `Gespräche erreichen ${name} nicht mehr`,
    revoked: (name: string) => `${name} nimmt den Zugang von Rapport nicht mehr an.`,
    forbidden: (name: string) =>
      `Das Konto, das ein Admin verbunden hat, darf in ${name} keine Gespräche oder Aufgaben anlegen.`,
    revokedNext: (name: string) =>
      `Verbinden Sie ${name} unter „Einstellungen“, „Integrationen“ erneut. Wartende Gespräche werden dann gesendet.`,
    forbiddenNext: (name: string) =>
      `Ändern Sie die Rechte des Kontos in ${name} und verbinden Sie es unter „Einstellungen“, „Integrationen“ erneut, oder verbinden Sie dort ein anderes Konto. Wartende Gespräche werden dann gesendet.`,
    button: 'Integrationen öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Admin sind.',
  },
} as const;

/** Returns the email to an admin about a CRM that no longer gets calls. */
export function attentionEmail(
  language: Language,
  { name, reason, home }: { name: string; reason: AttentionReason; home: string },
): Omit<EmailContent, 'brand'> {
  const { subject, heading, button, footer, ...sentences } = texts[language];
  return {
    ...{ language, footer },
    subject: subject(name),
    heading: heading(name),
    text: `${sentences[reason](name)}\n\n${sentences[`${reason}Next`](name)}`,
    button: { label: button, url: `${home}/app/settings` },
  };
}
