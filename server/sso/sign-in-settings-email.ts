import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** A setting that decides how members of an organization sign in, or who they are. */
export type SignInSetting = 'connection' | 'policy' | 'domain' | 'scimToken';

const texts = {
  en: {
    subject: 'The sign-in settings of your organization on Rapport were changed',
    heading: 'Sign-in settings were changed',
    what: {
      connection: 'a single sign-on connection',
      policy: 'who must use single sign-on',
      domain: 'a domain for single sign-on',
      scimToken: 'a token for provisioning',
    },
    text: (admin: string, what: string) =>
      `${admin} changed or added ${what}. These settings control who can sign in as a member of your organization.\n\nSee the audit log for details.`,
    unnamed: 'An admin',
    button: 'Open the audit log',
    footer:
      'You’re receiving this email because you’re an admin. If you didn’t expect this change, undo it and sign that admin out on the Team page.',
  },
  de: {
    subject: 'Die Anmeldeeinstellungen Ihrer Organisation bei Rapport wurden geändert',
    heading: 'Anmeldeeinstellungen wurden geändert',
    what: {
      connection: 'eine Single-Sign-on-Verbindung',
      policy: 'die Pflicht zum Single Sign-on',
      domain: 'eine Domain für Single Sign-on',
      scimToken: 'ein Token für die Bereitstellung',
    },
    text: (admin: string, what: string) =>
      `Geändert oder hinzugefügt von ${admin}: ${what}. Diese Einstellungen entscheiden, wer sich als Mitglied Ihrer Organisation anmelden kann.\n\nDetails finden Sie im Audit-Protokoll.`,
    unnamed: 'einem Admin',
    button: 'Audit-Protokoll öffnen',
    footer:
      'Sie erhalten diese E-Mail, weil Sie Admin sind. Wenn Sie diese Änderung nicht erwartet haben, machen Sie sie rückgängig und melden Sie diesen Admin auf der Seite „Team“ ab.',
  },
} as const;

/** Returns the email that notifies an admin of another admin's change to sign-in settings. */
export function signInSettingsEmail(
  language: Language,
  setting: SignInSetting,
  admin: string,
  home: string,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, what, text, unnamed, button, footer } = texts[language];
  return {
    ...{ language, subject, heading, footer },
    text: text(cleanName(admin) ?? unnamed, what[setting]),
    button: { label: button, url: `${home}/app/settings/audit-logs` },
  };
}
