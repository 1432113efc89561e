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
      `${admin} changed or added ${what}. These settings decide who can sign in as a member of your organization.\n\nThe audit log has the details.`,
    unnamed: 'An admin',
    button: 'Open the audit log',
    footer:
      'You receive this mail because you are an admin. If you did not expect this change, undo it, and sign that admin out on the team page.',
  },
  de: {
    subject: 'Die Anmelde-Einstellungen Ihrer Organisation bei Rapport wurden geändert',
    heading: 'Anmelde-Einstellungen wurden geändert',
    what: {
      connection: 'eine Single-Sign-on-Verbindung',
      policy: 'die Pflicht zum Single Sign-on',
      domain: 'eine Domain für Single Sign-on',
      scimToken: 'ein Token für die Bereitstellung',
    },
    text: (admin: string, what: string) =>
      `Geändert oder hinzugefügt von ${admin}: ${what}. Diese Einstellungen entscheiden, wer sich als Mitglied Ihrer Organisation anmelden kann.\n\nEinzelheiten stehen im Protokoll.`,
    unnamed: 'einem Admin',
    button: 'Protokoll öffnen',
    footer:
      'Sie erhalten diese Mail, weil Sie Admin sind. Wenn Sie diese Änderung nicht erwartet haben, machen Sie sie rückgängig und melden Sie diesen Admin auf der Team-Seite ab.',
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
