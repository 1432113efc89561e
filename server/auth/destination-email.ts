import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** Where data of an organization is sent. */
export interface Destination {
  kind: 'webhook' | 'slack' | 'crm';
  /** Without path, which may have a secret. */
  host: string;
  isNew: boolean;
}

const texts = {
  en: {
    subject: 'Data of your organization on Rapport is sent to another address',
    heading: 'Data is sent to another address',
    kinds: { webhook: 'Webhook', slack: 'Slack channel', crm: 'CRM' },
    added: (admin: string) =>
      `${admin} added an address to which data of your organization is sent.`,
    changed: (admin: string) =>
      `${admin} changed an address to which data of your organization is sent.`,
    next: 'See the audit log for details.',
    unnamed: 'An admin or an API token',
    button: 'Open the audit log',
    footer:
      'You’re receiving this email because you’re an admin. If you didn’t expect this change, undo it in Settings, and sign that admin out on the Team page or revoke the token.',
  },
  de: {
    subject: 'Daten Ihrer Organisation bei Rapport werden an eine andere Adresse gesendet',
    heading: 'Daten werden an eine andere Adresse gesendet',
    kinds: { webhook: 'Webhook', slack: 'Slack-Channel', crm: 'CRM' },
    added: (admin: string) =>
      `Hinzugefügt von ${admin}: eine Adresse, an die Daten Ihrer Organisation gesendet werden.`,
    changed: (admin: string) =>
      `Geändert von ${admin}: eine Adresse, an die Daten Ihrer Organisation gesendet werden.`,
    next: 'Details finden Sie im Audit-Protokoll.',
    unnamed: 'einem Admin oder einem API-Token',
    button: 'Audit-Protokoll öffnen',
    footer:
      'Sie erhalten diese E-Mail, weil Sie Admin sind. Wenn Sie diese Änderung nicht erwartet haben, machen Sie sie unter „Einstellungen“ rückgängig und melden Sie diesen Admin auf der Seite „Team“ ab, oder widerrufen Sie das Token.',
  },
} as const;

/** Returns the email that notifies an admin of a new address to which data of the organization goes. */
export function destinationEmail(
  language: Language,
  { kind, host, isNew }: Destination,
  by: { admin: string; at: Date; home: string },
): Omit<EmailContent, 'brand'> {
  const { subject, heading, kinds, added, changed, next, unnamed, button, footer } =
    texts[language];
  const admin = cleanName(by.admin) ?? unnamed;
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(by.at);
  return {
    ...{ language, subject, heading, footer },
    text: `${(isNew ? added : changed)(admin)}\n\n${kinds[kind]}: ${host}\n${time}\n\n${next}`,
    button: { label: button, url: `${by.home}/app/settings/audit-logs` },
  };
}
