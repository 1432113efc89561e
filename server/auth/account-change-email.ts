import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

/** A change to how an account signs in, which is mailed to its owner. */
export type AccountChange =
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passwordChanged'
  | 'passwordReset'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'recoveryCodesRenewed'
  | 'recoveryCodeUsed';

interface Said {
  subject: string;
  heading: string;
  text: string;
}

const changes = {
  en: {
    passkeyAdded: {
      subject: 'A passkey was added to your Rapport account',
      heading: 'A new passkey opens your account',
      text: 'With it your account can be opened without your password.',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your Rapport account',
      heading: 'A passkey was removed',
      text: 'It no longer opens your account.',
    },
    passwordChanged: {
      subject: 'The password of your Rapport account was changed',
      heading: 'Your password was changed',
      text: 'You were signed out on all other devices.',
    },
    passwordReset: {
      subject: 'The password of your Rapport account was reset',
      heading: 'Your password was reset',
      text: 'A new password was set with a link that was mailed to you. You were signed out everywhere.',
    },
    twoFactorOn: {
      subject: 'Two-factor sign-in of your Rapport account was turned on',
      heading: 'Two-factor sign-in is on',
      text: 'After your password, a code of your authenticator app is needed. You were signed out on all other devices.',
    },
    twoFactorOff: {
      subject: 'Two-factor sign-in of your Rapport account was turned off',
      heading: 'Your password alone opens your account',
      text: 'Your authenticator app and your recovery codes are no longer asked for.',
    },
    recoveryCodesRenewed: {
      subject: 'Your Rapport account has new recovery codes',
      heading: 'New recovery codes were made',
      text: 'The recovery codes that you had no longer work.',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code of your Rapport account was used',
      heading: 'A recovery code was used',
      text: 'It was entered instead of a code of your authenticator app, and does not work again.',
    },
  },
  de: {
    passkeyAdded: {
      subject: 'Ihrem Rapport-Konto wurde ein Passkey hinzugefügt',
      heading: 'Ein neuer Passkey öffnet Ihr Konto',
      text: 'Mit ihm lässt sich Ihr Konto ohne Ihr Passwort öffnen.',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey Ihres Rapport-Kontos wurde entfernt',
      heading: 'Ein Passkey wurde entfernt',
      text: 'Er öffnet Ihr Konto nicht mehr.',
    },
    passwordChanged: {
      subject: 'Das Passwort Ihres Rapport-Kontos wurde geändert',
      heading: 'Ihr Passwort wurde geändert',
      text: 'Auf allen anderen Geräten wurden Sie abgemeldet.',
    },
    passwordReset: {
      subject: 'Das Passwort Ihres Rapport-Kontos wurde zurückgesetzt',
      heading: 'Ihr Passwort wurde zurückgesetzt',
      text: 'Mit einem Link aus einer Mail an Sie wurde ein neues Passwort gewählt. Sie wurden überall abgemeldet.',
    },
    twoFactorOn: {
      subject: 'Die Anmeldung in zwei Schritten Ihres Rapport-Kontos wurde eingeschaltet',
      heading: 'Die Anmeldung in zwei Schritten ist eingeschaltet',
      text: 'Nach Ihrem Passwort wird ein Code Ihrer Authenticator-App verlangt. Auf allen anderen Geräten wurden Sie abgemeldet.',
    },
    twoFactorOff: {
      subject: 'Die Anmeldung in zwei Schritten Ihres Rapport-Kontos wurde ausgeschaltet',
      heading: 'Ihr Passwort allein öffnet Ihr Konto',
      text: 'Nach Ihrer Authenticator-App und Ihren Wiederherstellungscodes wird nicht mehr gefragt.',
    },
    recoveryCodesRenewed: {
      subject: 'Ihr Rapport-Konto hat neue Wiederherstellungscodes',
      heading: 'Neue Wiederherstellungscodes wurden erstellt',
      text: 'Ihre bisherigen Wiederherstellungscodes funktionieren nicht mehr.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode Ihres Rapport-Kontos wurde benutzt',
      heading: 'Ein Wiederherstellungscode wurde benutzt',
      text: 'Er wurde anstelle eines Codes Ihrer Authenticator-App eingegeben und funktioniert nicht noch einmal.',
    },
  },
} as const satisfies Record<Language, Record<AccountChange, Said>>;

const frames = {
  en: {
    passkey: (name: string) => `Passkey: ${name}`,
    address: (address: string) => `Address ${address}`,
    wasYou: 'Was that you? Then there is nothing to do.',
    button: 'Open your profile',
    footer:
      'It was not you? Reset your password on the sign-in page, check your passkeys, and sign out on all devices. Tell an admin of your organization.',
  },
  de: {
    passkey: (name: string) => `Passkey: ${name}`,
    address: (address: string) => `Adresse ${address}`,
    wasYou: 'Waren Sie das? Dann ist nichts zu tun.',
    button: 'Profil öffnen',
    footer:
      'Das waren nicht Sie? Setzen Sie auf der Anmeldeseite Ihr Passwort zurück, prüfen Sie Ihre Passkeys, und melden Sie sich auf allen Geräten ab. Sagen Sie in Ihrer Organisation einem Admin Bescheid.',
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
