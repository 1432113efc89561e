import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

export interface DisabledWebhook {
  host: string;
  reason: 'failing' | 'gone';
  /** The address of the installation. */
  home: string;
}

const texts = {
  en: {
    subject: (host: string) => `A webhook was disabled: ${host}`,
    heading: 'A webhook was disabled',
    failing: (host: string) =>
      `${host} accepted no event for 24 hours, so events are no longer sent to it.`,
    gone: (host: string) =>
      `${host} answered that it no longer takes events (410 Gone), so they are no longer sent to it.`,
    next: 'Once the receiver works again, enable the webhook in Settings, Webhooks. Events of the last 30 days can be sent again there.',
    button: 'Open webhooks',
    footer: 'You’re receiving this email because you’re an admin.',
  },
  de: {
    subject: (host: string) => `Ein Webhook wurde deaktiviert: ${host}`,
    heading: 'Ein Webhook wurde deaktiviert',
    failing: (host: string) =>
      `${host} hat 24 Stunden lang kein Ereignis angenommen. Es werden keine Ereignisse mehr dorthin gesendet.`,
    gone: (host: string) =>
      `${host} hat geantwortet, dass es keine Ereignisse mehr annimmt (410 Gone). Es werden keine mehr dorthin gesendet.`,
    next: 'Sobald der Empfänger wieder funktioniert, aktivieren Sie den Webhook unter „Einstellungen“, „Webhooks“. Ereignisse der letzten 30 Tage können dort erneut gesendet werden.',
    button: 'Webhooks öffnen',
    footer: 'Sie erhalten diese E-Mail, weil Sie Admin sind.',
  },
} as const;

/** Returns the email to an admin about a webhook that was disabled because of its receiver. */
export function disabledEmail(
  language: Language,
  { host, reason, home }: DisabledWebhook,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, next, button, footer, ...reasons } = texts[language];
  return {
    language,
    subject: subject(host),
    heading,
    text: `${reasons[reason](host)}\n\n${next}`,
    button: { label: button, url: `${home}/app/settings/webhooks` },
    footer,
  };
}
