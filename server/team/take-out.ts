import type { AccountId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { archivePersonalRoom } from '#server/links/personal-room.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq } from '#server/platform/drizzle.ts';

/**
 * Ends a membership on behalf of the owner of the address, without the organization's consent: the last admin
 * need not stay, and the admins are not locked. The caller holds the lock on the account's row, and has
 * decided how long to wait for the organization's locks (`actsBriefly`, `overruleLocks`).
 * @returns false if there was no membership
 * @throws the database's lock timeout (`isLockRefused`)
 */
export async function takeOut(
  tx: TenantConnection,
  id: AccountId,
  reason: 'domain_owned' | 'address_unproved',
): Promise<boolean> {
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
