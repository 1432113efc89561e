import type { AccountId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { archivePersonalRoom } from '#server/links/personal-room.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';

// The organization decides what it locks, and for how long: neither its admins nor its transactions may
// keep the owner of an address waiting.
export const waitBriefly: Statement = {
  name: 'wait_briefly_for_locks',
  text: "select set_config('lock_timeout', '500ms', true)",
};

/**
 * Ends a membership for the sake of the person whose address it is, without the organization's consent:
 * the last admin is not kept, and no admin is asked. The caller holds the account's row.
 * @returns false where there was none
 * @throws the database's refusal of a lock (`isLockRefused`) that is held for more than half a second
 */
export async function takeOut(
  tx: TenantConnection,
  id: AccountId,
  reason: 'domain_owned' | 'address_unproved',
): Promise<boolean> {
  await tx.run(waitBriefly, []);
  await archivePersonalRoom(tx, id);
  const ended = await tx.db
    .delete(memberships)
    .where(and(eq(memberships.orgId, tx.tenant.orgId), eq(memberships.accountId, id)))
    .returning({ id: memberships.accountId });
  if (ended.length === 0) return false;
  await tx.db.update(accounts).set({ profileImageUrl: null }).where(eq(accounts.id, id));
  await recordEvent(tx, {
    action: 'MEMBER_REMOVED',
    entity: 'account',
    entityId: id,
    metadata: { reason },
  });
  return true;
}
