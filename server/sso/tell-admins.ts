import { mailOtherAdmins } from '#server/auth/mail-other-admins.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { type SignInSetting, signInSettingsLetter } from './sign-in-settings-letter.ts';

/**
 * Mails the other admins that a setting was changed in this transaction.
 * @param home our own address, for the link
 */
export const tellAdmins = (
  tx: TenantConnection,
  setting: SignInSetting,
  home: string,
): Promise<void> =>
  mailOtherAdmins(tx, 'signInSettings', (language, admin) =>
    signInSettingsLetter(language, setting, admin, home),
  );
