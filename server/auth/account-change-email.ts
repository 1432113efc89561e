import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** A change to how an account signs in, or to what acts in its name, which is mailed to its owner. */
export type AccountChange =
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passwordChanged'
  | 'passwordReset'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'recoveryCodesRenewed'
  | 'recoveryCodeUsed'
  | 'apiTokenMade';

interface Said {
  subject: string;
  heading: string;
  text: string;
}

const changes = {
  en: {
    passkeyAdded: {
      subject: 'A passkey was added to your Rapport account',
      heading: 'A passkey was added',
      text: 'You can now use it to sign in without your password.',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your Rapport account',
      heading: 'A passkey was removed',
      text: 'You can no longer use it to sign in.',
    },
    passwordChanged: {
      subject: 'The password of your Rapport account was changed',
      heading: 'Your password was changed',
      text: 'You were signed out on all other devices.',
    },
    passwordReset: {
      subject: 'The password of your Rapport account was reset',
      heading: 'Your password was reset',
      text: 'Someone set a new password with a link that we emailed to you. You were signed out everywhere.',
    },
    twoFactorOn: {
      subject: 'Two-factor sign-in for your Rapport account was turned on',
      heading: 'Two-factor sign-in is on',
      text: 'When you sign in, you’ll need your password and a code from your authenticator app. You were signed out on all other devices.',
    },
    twoFactorOff: {
      subject: 'Two-factor sign-in for your Rapport account was turned off',
      heading: 'Two-factor sign-in is off',
      text: 'You can sign in with your password alone. We no longer ask for your authenticator app or recovery codes.',
    },
    recoveryCodesRenewed: {
      subject: 'Your Rapport account has new recovery codes',
      heading: 'New recovery codes were created',
      text: 'Your previous recovery codes no longer work.',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code of your Rapport account was used',
      heading: 'A recovery code was used',
      text: 'Someone entered it instead of a code from your authenticator app. It won’t work again.',
    },
    apiTokenMade: {
      subject: 'An API token was created with your Rapport account',
      heading: 'An API token was created',
      text: 'Programs can use it to act as you or your organization until it expires or you revoke it in Settings, API. A new password doesn’t end it.',
    },
  },
  de: {
    passkeyAdded: {
      subject: 'Ihrem Rapport-Konto wurde ein Passkey hinzugefügt',
      heading: 'Ein Passkey wurde hinzugefügt',
      text: 'Sie können sich damit jetzt ohne Passwort anmelden.',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey Ihres Rapport-Kontos wurde entfernt',
      heading: 'Ein Passkey wurde entfernt',
      text: 'Sie können sich damit nicht mehr anmelden.',
    },
    passwordChanged: {
      subject: 'Das Passwort Ihres Rapport-Kontos wurde geändert',
      heading: 'Ihr Passwort wurde geändert',
      text: 'Auf allen anderen Geräten wurden Sie abgemeldet.',
    },
    passwordReset: {
      subject: 'Das Passwort Ihres Rapport-Kontos wurde zurückgesetzt',
      heading: 'Ihr Passwort wurde zurückgesetzt',
      text: 'Über einen Link aus einer E-Mail an Sie wurde ein neues Passwort festgelegt. Sie wurden überall abgemeldet.',
    },
    twoFactorOn: {
      subject: 'Die Zwei-Faktor-Anmeldung Ihres Rapport-Kontos wurde eingeschaltet',
      heading: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
      text: 'Bei der Anmeldung brauchen Sie Ihr Passwort und einen Code aus Ihrer Authenticator-App. Auf allen anderen Geräten wurden Sie abgemeldet.',
    },
    twoFactorOff: {
      subject: 'Die Zwei-Faktor-Anmeldung Ihres Rapport-Kontos wurde ausgeschaltet',
      heading: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
      text: 'Sie können sich allein mit Ihrem Passwort anmelden. Nach Ihrer Authenticator-App und Ihren Wiederherstellungscodes fragen wir nicht mehr.',
    },
    recoveryCodesRenewed: {
      subject: 'Ihr Rapport-Konto hat neue Wiederherstellungscodes',
      heading: 'Neue Wiederherstellungscodes wurden erstellt',
      text: 'Ihre bisherigen Wiederherstellungscodes funktionieren nicht mehr.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode Ihres Rapport-Kontos wurde verwendet',
      heading: 'Ein Wiederherstellungscode wurde verwendet',
      text: 'Er wurde anstelle eines Codes aus Ihrer Authenticator-App eingegeben und funktioniert nicht noch einmal.',
    },
    apiTokenMade: {
      subject: 'Mit Ihrem Rapport-Konto wurde ein API-Token erstellt',
      heading: 'Ein API-Token wurde erstellt',
      text: 'Programme können damit für Sie oder Ihre Organisation handeln, bis es abläuft oder Sie es in den Einstellungen unter „API“ widerrufen. Ein neues Passwort beendet es nicht.',
    },
  },
} as const satisfies Record<Language, Record<AccountChange, Said>>;

const frames = {
  en: {
    passkey: (name: string) => `Passkey: ${name}`,
    address: (address: string) => `Address ${address}`,
    wasYou: 'If this was you, there’s nothing to do.',
    button: 'Open your profile',
    footer:
      'Wasn’t you? Reset your password on the sign-in page, check your passkeys, sign out on all devices, and tell an admin of your organization.',
  },
  de: {
    passkey: (name: string) => `Passkey: ${name}`,
    address: (address: string) => `Adresse ${address}`,
    wasYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
    button: 'Profil öffnen',
    footer:
      'Das waren nicht Sie? Setzen Sie auf der Anmeldeseite Ihr Passwort zurück, prüfen Sie Ihre Passkeys, melden Sie sich auf allen Geräten ab und informieren Sie einen Admin Ihrer Organisation.',
  },
} as const;

/** Returns the email that notifies an owner of a change to how the account signs in. */
export function accountChangeEmail(
  language: Language,
  change: AccountChange,
  from: { at: Date; address: string | null; passkeyName: string | null },
  url: string,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, text } = changes[language][change];
  const frame = frames[language];
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(from.at);
  const details = [
    ...(from.passkeyName === null ? [] : [frame.passkey(from.passkeyName)]),
    time,
    ...(from.address === null ? [] : [frame.address(from.address)]),
  ];
  return {
    language,
    subject,
    heading,
    text: [text, details.join('\n'), frame.wasYou].join('\n\n'),
    button: { label: frame.button, url },
    footer: frame.footer,
  };
}
