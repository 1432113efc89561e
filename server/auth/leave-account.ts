import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';
import { removeCredentials } from './verify-address.ts';

// The domain can be neither reached nor verified (RFC 2606). Random, so that nobody registers the address before.
const markDeleted: Statement = {
  name: 'mark_account_deleted',
  text: `update accounts set deleted_at = now(), email = gen_random_uuid() || '@deleted.invalid',
      first_name = 'Deleted', last_name = 'person', profile_image_url = null
    where id = $1`,
};

const releaseAddressStatement: Statement = {
  name: 'release_address_of_account',
  text: `update accounts set email = gen_random_uuid() || '@deleted.invalid',
      email_verified_at = null, verified_as_owner_at = null
    where id = $1`,
};

/**
 * Frees the address of an account for another person, to whom it belongs now. Nothing signs in to the account any
 * more; it stays, because what was done with it names it. The membership must have ended.
 */
export async function releaseAddress(tx: Pick<Connection, 'run'>, id: AccountId): Promise<void> {
  await removeCredentials(tx, id);
  await tx.run(releaseAddressStatement, [id]);
}

/**
 * Deletes an account for everyone: nothing signs in to it, and its address is free. The membership must have ended.
 * The job of privacy/finish-erasures.ts deletes its row: rows refer to it that others may have locked.
 */
export async function leaveAccount(tx: Pick<Connection, 'run'>, id: AccountId): Promise<void> {
  await removeCredentials(tx, id);
  await tx.run(markDeleted, [id]);
}
