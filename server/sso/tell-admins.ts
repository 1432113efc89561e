import { mailOtherAdmins } from '#server/auth/mail-other-admins.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { type SignInSetting, signInSettingsEmail } from './sign-in-settings-email.ts';

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
