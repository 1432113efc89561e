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

/**
 * Deletes an account for everyone: nothing signs in to it, and its address is free. The membership must have ended.
 * The job of privacy/finish-erasures.ts deletes its row: rows refer to it that others may have locked.
 */
export async function leaveAccount(tx: Pick<Connection, 'run'>, id: AccountId): Promise<void> {
  await removeCredentials(tx, id);
  await tx.run(markDeleted, [id]);
}
