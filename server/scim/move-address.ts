import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import { removeCredentials } from '#server/auth/verify-address.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { addressMovedEmail } from './address-moved-email.ts';
import { requireOwnDomain } from './require-own-domain.ts';
import type { LockedUser } from './user-store.ts';

const moveAccount: Statement = {
  name: 'scim_move_account',
  text: `update accounts set email = $2, email_verified_at = null,
      verified_as_owner_at = null where id = $1
    returning language`,
};

/**
 * Moves an account to another address of the organization's verified domains. The new address is not
 * verified, everything that signs in is removed, and the old address is told by mail.
 * @throws ScimError 403 for a domain that is not the organization's own
 */
export async function moveAddress(
  tx: TenantConnection,
  account: { id: AccountId; email: string },
  email: string,
  home: string,
): Promise<void> {
  await requireOwnDomain(tx, email);
  const [moved] = await tx.run<{ language: Language | null }>(moveAccount, [account.id, email]);
  await removeCredentials(tx, account.id);
  const content = addressMovedEmail(moved?.language ?? 'en', email, `${home}/auth?next=/app`);
  await mailAccount(tx, account, 'addressMoved', content);
}

/**
 * Who sets the address can ask for its reset mail, and so becomes the person. A directory may move
 * accounts that it created itself, but never one that is or ever was an admin's in this organization:
 * demoting the admin first must not open the way (docs/attacks.md 39).
 */
export const mayMove = ({ is_account_made, was_admin }: LockedUser) =>
  is_account_made && !was_admin;
