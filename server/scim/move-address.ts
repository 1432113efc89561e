import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import { removeCredentials } from '#server/auth/verify-address.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { addressMovedEmail } from './address-moved-email.ts';
import { keepOwnDomain } from './require-own-domain.ts';
import type { LockedUser } from './user-store.ts';

const moveAccount: Statement = {
  name: 'scim_move_account',
  text: `update accounts set email = $2, email_verified_at = null,
      verified_as_owner_at = null where id = $1
    returning language`,
};

/**
 * Changes an account's address to another one of the organization's verified domains. The new address is
 * unverified, the account's credentials are removed, and the old address is notified by mail.
 * @throws ScimError 403 for a domain that the organization does not own
 */
export async function moveAddress(
  tx: TenantConnection,
  account: { id: AccountId; email: string },
  email: string,
  home: string,
): Promise<void> {
  await keepOwnDomain(tx, email);
  const [moved] = await tx.run<{ language: Language | null }>(moveAccount, [account.id, email]);
  await removeCredentials(tx, account.id);
  const content = addressMovedEmail(moved?.language ?? 'en', email, `${home}/auth?next=/app`);
  await mailAccount(tx, account, 'addressMoved', content);
}

/**
 * Returns whether a directory may change the account's address. A directory that sets the address can request
 * its reset mail, and so take over the account. It may move accounts that it created itself, but not one that
 * is or ever was an admin's in this organization: demoting the admin first must not bypass the rule
 * (docs/attacks.md 39).
 */
export const mayMove = ({ is_account_made, was_admin }: LockedUser) =>
  is_account_made && !was_admin;
