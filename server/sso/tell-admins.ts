import { mailOtherAdmins } from '#server/auth/mail-other-admins.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { type SignInSetting, signInSettingsEmail } from './sign-in-settings-email.ts';

/** The session of a change to single sign-on, and the origin of links in mails about it. */
export interface ChangingSso {
  session: { id: string };
  home: string;
}

/**
 * Mails the other admins about a change of a setting in this transaction.
 * @param home the server's public URL, for the link
 */
export const tellAdmins = (
  tx: TenantConnection,
  setting: SignInSetting,
  home: string,
): Promise<void> =>
  mailOtherAdmins(tx, 'signInSettings', (language, admin) =>
    signInSettingsEmail(language, setting, admin, home),
  );
