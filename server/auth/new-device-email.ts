import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';
import type { Device } from './device.ts';

const texts = {
  en: {
    subject: 'New sign-in to your Rapport account',
    heading: 'A new device signed in',
    text: (device: string, time: string, address: string) =>
      `Someone signed in to your account from a new device.\n\n${device}\n${time}\nAddress ${address}\n\nIf this was you, there’s nothing to do.`,
    more: (count: number) => `In the last 24 hours ${count} new devices signed in.`,
    device: (browser: string, system: string) => `${browser} on ${system}`,
    browser: 'A browser',
    system: 'an unknown system',
    button: 'See where you’re signed in',
    footer:
      'Wasn’t you? Sign that device out and change your password. You can do both on the page above.',
  },
  de: {
    subject: 'Neue Anmeldung an Ihrem Rapport-Konto',
    heading: 'Ein neues Gerät hat sich angemeldet',
    text: (device: string, time: string, address: string) =>
      `Jemand hat sich von einem neuen Gerät aus an Ihrem Konto angemeldet.\n\n${device}\n${time}\nAdresse ${address}\n\nWenn Sie das waren, müssen Sie nichts tun.`,
    more: (count: number) =>
      `In den letzten 24 Stunden haben sich ${count} neue Geräte angemeldet.`,
    device: (browser: string, system: string) => `${browser} auf ${system}`,
    browser: 'Ein Browser',
    system: 'einem unbekannten System',
    button: 'Eigene Anmeldungen ansehen',
    footer:
      'Das waren nicht Sie? Melden Sie das Gerät ab und ändern Sie Ihr Passwort. Beides geht auf der verlinkten Seite.',
  },
} as const;

/**
 * Returns the email about a device that the account has not used before.
 * @param from `count` is the number of new devices in the last 24 hours
 */
export function newDeviceEmail(
  language: Language,
  { browser, system }: Device,
  from: { at: Date; address: string; count: number },
  url: string,
): Omit<EmailContent, 'brand'> {
  const said = texts[language];
  const device = said.device(browser ?? said.browser, system ?? said.system);
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(from.at);
  return {
    language,
    subject: said.subject,
    heading: said.heading,
    text: [
      said.text(device, time, from.address),
      ...(from.count > 1 ? [said.more(from.count)] : []),
    ].join('\n\n'),
    button: { label: said.button, url },
    footer: said.footer,
  };
}
