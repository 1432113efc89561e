import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts, memberships, sessions } from '#server/auth/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { eq } from '#server/platform/drizzle.ts';
import { SsoRefusal } from './asserted.ts';

const shutOut: Statement = {
  name: 'is_shut_out_by_directory',
  text: `select 1 from scim_users
    where org_id = $1 and account_id = $2 and deactivated_at is not null`,
};
const forgetFactors: Statement = {
  name: 'forget_factors_of_account',
  text: `with totp as (delete from totp_factors where account_id = $1),
      codes as (delete from recovery_codes where account_id = $1)
    delete from passkeys where account_id = $1`,
};

/**
 * Makes somebody a member whose identity provider proved who they are.
 * @param wasThere whether the account was there before
 * @throws SsoRefusal for somebody whom the organisation's directory has shut out
 */
export async function joinOrganization(
  tx: TenantConnection,
  id: AccountId,
  role: Role,
  wasThere: boolean,
): Promise<void> {
  const { orgId } = tx.tenant;
  if (wasThere) {
    if ((await tx.run(shutOut, [orgId, id])).length > 0)
      throw new SsoRefusal('account', 'Your directory has deactivated this person.');
    await forgetUnproved(tx, id);
  }
  await tx.db.insert(memberships).values({ orgId, accountId: id, role, createdAt: new Date() });
  await recordEvent(tx, {
    action: 'MEMBER_ADDED',
    entity: 'account',
    entityId: id,
    metadata: { role },
  });
}

/**
 * Anybody could have made an account of this address before, or have had the address before: sessions
 * from then do not follow into the organisation. Unless the address was proved, what they know or hold
 * of it ends, too.
 */
async function forgetUnproved(tx: TenantConnection, id: AccountId): Promise<void> {
  const { db } = tx;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id)).for('update');
  await db.delete(sessions).where(eq(sessions.accountId, id));
  if (account?.emailVerifiedAt) return;
  await db
    .update(accounts)
    .set({ passwordHash: null, emailVerifiedAt: new Date() })
    .where(eq(accounts.id, id));
  await tx.run(forgetFactors, [id]);
}
