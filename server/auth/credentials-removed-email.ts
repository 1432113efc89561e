import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** What rested on a membership from before its account's address was verified. */
export interface Unproved {
  /** The name that the organization chose for itself. */
  organization: string;
  /**
   * A membership that came by a copied link:
   * - `ended`
   * - `ending`: as soon as the organization's locks allow it
   * - `kept`: it is the only admin's
   * - null: it came in another way
   */
  membership: 'ended' | 'ending' | 'kept' | null;
  /**
   * What could harm the organization of its only admin later:
   * - `undone`
   * - `undoing`: as soon as the organization's locks allow it
   * - null: there was nothing to undo
   */
  prepared: 'undone' | 'undoing' | null;
  /** Whether it stays the only admin of other members, whom someone else may have let in. */
  hasMembers: boolean;
}

const texts = {
  en: {
    subject: 'Earlier sign-ins to your Rapport account were removed',
    heading: 'Your address is confirmed',
    text: 'Before an address is confirmed, anyone can set up an account with it. So we removed what was set up before: passwords, authenticator apps, passkeys, and sessions on other devices.\n\nSet up your authenticator app or passkey again on your profile.',
    ended: (name: string) =>
      `Your account also belonged to ${name}, by an invitation link that others may have used with your address. It no longer does. If you work there, ask an admin to invite you again by mail.`,
    ending: (name: string) =>
      `Your account also belongs to ${name}, by an invitation link that others may have used with your address. We are ending that, and you may have to sign in once more. Until then, enter nothing there. If you work there, ask an admin to invite you again by mail.`,
    kept: (name: string) =>
      `Your account belongs to ${name}, which it joined by an invitation link that others may have used with your address. If you do not know it, enter nothing there: leave it by accepting another invitation, delete your account on your profile, or, as its only admin, request its deletion in Settings, Privacy.`,
    undone: (name: string) =>
      `Your account is the only admin of ${name}. In case others set it up with your address, we undid what they may have prepared there: a scheduled deletion, retention rules, websites that may embed rooms, single sign-on, provisioning (SCIM), API tokens, webhooks, Slack channels, CRM connections, and running calls. Guests of every room now wait in the lobby until you admit them. If you do not know this organization, enter nothing there, and request its deletion in Settings, Privacy.`,
    undoing: (name: string) =>
      `Your account is the only admin of ${name}. In case others set it up with your address, we are undoing what they may have prepared there: a scheduled deletion, retention rules, websites that may embed rooms, single sign-on, provisioning (SCIM), API tokens, webhooks, Slack channels, CRM connections, and running calls. Until that is done, guests can enter none of its rooms. After that, they wait in the lobby until you admit them. If you do not know this organization, enter nothing there, and request its deletion in Settings, Privacy.`,
    members: (name: string) =>
      `Other people are members of ${name}, and keep their access to its calls. Open Team, and remove those whom you do not know.`,
    unnamed: 'an organization',
    button: 'Open your profile',
    footer: 'If you did not confirm this address, choose “Forgot password?” on the sign-in page.',
  },
  de: {
    subject: 'Frühere Anmeldungen an Ihrem Rapport-Konto wurden entfernt',
    heading: 'Ihre Adresse ist bestätigt',
    text: 'Bevor eine Adresse bestätigt ist, kann jeder ein Konto mit ihr einrichten. Deshalb haben wir entfernt, was vorher eingerichtet war: Passwörter, Authenticator-Apps, Passkeys und Sitzungen auf anderen Geräten.\n\nRichten Sie Ihre Authenticator-App oder Ihren Passkey in Ihrem Profil neu ein.',
    ended: (name: string) =>
      `Ihr Konto gehörte außerdem zu ${name}, durch einen Einladungslink, den auch andere mit Ihrer Adresse benutzt haben können. Das ist nun beendet. Wenn Sie dort arbeiten, bitten Sie einen Admin, Sie noch einmal per Mail einzuladen.`,
    ending: (name: string) =>
      `Ihr Konto gehört außerdem zu ${name}, durch einen Einladungslink, den auch andere mit Ihrer Adresse benutzt haben können. Wir beenden das gerade; möglicherweise müssen Sie sich noch einmal anmelden. Geben Sie bis dahin dort nichts ein. Wenn Sie dort arbeiten, bitten Sie einen Admin, Sie noch einmal per Mail einzuladen.`,
    kept: (name: string) =>
      `Ihr Konto gehört zu ${name}. Es trat durch einen Einladungslink bei, den auch andere mit Ihrer Adresse benutzt haben können. Wenn Sie diese Organisation nicht kennen, geben Sie dort nichts ein: Nehmen Sie eine andere Einladung an, löschen Sie Ihr Konto im Profil, oder beantragen Sie als einziger Admin ihre Löschung unter Einstellungen, Datenschutz.`,
    undone: (name: string) =>
      `Ihr Konto ist der einzige Admin von ${name}. Falls andere es mit Ihrer Adresse eingerichtet haben, haben wir rückgängig gemacht, was sie dort vorbereitet haben können: eine geplante Löschung, Aufbewahrungsfristen, Websites, die Räume einbetten dürfen, Single Sign-on, Bereitstellung (SCIM), API-Token, Webhooks, Slack-Kanäle, CRM-Verbindungen und laufende Gespräche. Gäste aller Räume warten nun in der Lobby, bis Sie sie einlassen. Wenn Sie diese Organisation nicht kennen, geben Sie dort nichts ein, und beantragen Sie ihre Löschung unter Einstellungen, Datenschutz.`,
    undoing: (name: string) =>
      `Ihr Konto ist der einzige Admin von ${name}. Falls andere es mit Ihrer Adresse eingerichtet haben, machen wir gerade rückgängig, was sie dort vorbereitet haben können: eine geplante Löschung, Aufbewahrungsfristen, Websites, die Räume einbetten dürfen, Single Sign-on, Bereitstellung (SCIM), API-Token, Webhooks, Slack-Kanäle, CRM-Verbindungen und laufende Gespräche. Bis das erledigt ist, kommen Gäste in keinen der Räume. Danach warten sie in der Lobby, bis Sie sie einlassen. Wenn Sie diese Organisation nicht kennen, geben Sie dort nichts ein, und beantragen Sie ihre Löschung unter Einstellungen, Datenschutz.`,
    members: (name: string) =>
      `Andere Personen sind Mitglieder von ${name} und sehen weiterhin deren Gespräche. Öffnen Sie Team, und entfernen Sie, wen Sie nicht kennen.`,
    unnamed: 'einer Organisation',
    button: 'Profil öffnen',
    footer:
      'Wenn Sie diese Adresse nicht bestätigt haben, wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
  },
} as const;

/**
 * Returns the email to the owner of an address whose first verification removed something.
 * @param unproved what happened in the account's organization, if anything
 */
export function credentialsRemovedEmail(
  language: Language,
  url: string,
  unproved: Unproved | null,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, text, button, footer, unnamed, ...about } = texts[language];
  const paragraphs: string[] = [text];
  if (unproved) {
    const name = cleanName(unproved.organization) ?? unnamed;
    const { membership, prepared, hasMembers } = unproved;
    if (membership) paragraphs.push(about[membership](name));
    if (prepared) paragraphs.push(about[prepared](name));
    if (hasMembers) paragraphs.push(about.members(name));
  }
  const said = { subject, heading, text: paragraphs.join('\n\n'), footer };
  return { language, ...said, button: { label: button, url } };
}
