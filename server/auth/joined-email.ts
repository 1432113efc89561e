import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

const texts = {
  en: {
    subject: 'Your Rapport account joined your organization',
    heading: 'Your account joined your organization',
    verifiedDomain:
      'Your organization verified your email domain and added your account. Your previous password, passkeys, authenticator app and sessions were removed.\n\nSign in with single sign-on. If your organization doesn’t use it, choose a new password with “Forgot password?”.',
    invitation:
      'You accepted an invitation from the organization that owns your email domain. In case others used your address before, we removed your account’s passkeys, authenticator app and other sessions. Your password still works.\n\nSet up your authenticator app or passkey again on your profile.',
    signIn: 'Sign in',
    profile: 'Open your profile',
    footer: 'Not expecting this? Ask your admin.',
  },
  de: {
    subject: 'Ihr Rapport-Konto gehört jetzt zu Ihrer Organisation',
    heading: 'Ihr Konto gehört jetzt zu Ihrer Organisation',
    verifiedDomain:
      'Ihre Organisation hat Ihre E-Mail-Domain verifiziert und Ihr Konto aufgenommen. Das bisherige Passwort, Passkeys, die Authenticator-App und Sitzungen wurden entfernt.\n\nMelden Sie sich über Single Sign-on an. Nutzt Ihre Organisation es nicht, wählen Sie über „Passwort vergessen?“ ein neues Passwort.',
    invitation:
      'Sie haben eine Einladung der Organisation angenommen, der Ihre E-Mail-Domain gehört. Falls andere Ihre Adresse vorher verwendet haben, haben wir Passkeys, Authenticator-App und die übrigen Sitzungen Ihres Kontos entfernt. Ihr Passwort gilt weiter.\n\nRichten Sie Ihre Authenticator-App oder Ihren Passkey in Ihrem Profil neu ein.',
    signIn: 'Anmelden',
    profile: 'Profil öffnen',
    footer: 'Damit haben Sie nicht gerechnet? Fragen Sie Ihren Admin.',
  },
} as const;

/**
 * Returns the email to a person whose existing account joined the organization that owns the domain of its
 * address, and whose earlier ways to sign in were removed.
 * @param by `verifiedDomain`: the organization added the account, and its password is gone, too;
 *   `invitation`: the person accepted one
 * @param url where the person goes next: the sign-in page, or the profile
 */
export function joinedEmail(
  language: Language,
  by: 'verifiedDomain' | 'invitation',
  url: string,
): Omit<EmailContent, 'brand'> {
  const { subject, heading, footer, signIn, profile, ...about } = texts[language];
  const label = by === 'invitation' ? profile : signIn;
  return { language, subject, heading, text: about[by], footer, button: { label, url } };
}
