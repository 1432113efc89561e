import type { SignedInUser } from '#domain/auth/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { memberships } from '#server/auth/tables.ts';
import { scheduleDeletion } from '#server/organizations/schedule-deletion.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import { and, eq, ne } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { endMembership } from './member-store.ts';

/**
 * Ends the membership of the person who asks. An organization that has no member left is deleted after
 * the usual days of grace.
 * @throws DomainError 409 for the last admin of an organization that has other members
 */
export async function leaveOrganization(
  { database }: Pick<Services, 'database'>,
  { id, orgId, role }: SignedInUser,
  address: string,
): Promise<void> {
  if (orgId === null || role === null) return;
  const tenant = tenantOf(database, { kind: 'user', accountId: id, orgId, role }, address);
  await tenant.write(async (tx) => {
    const isLast = await isOnlyMember(tx, id);
    await endMembership(tx, id, { mayBeLastAdmin: isLast });
    if (isLast) await scheduleDeletion(tx);
    await recordEvent(tx, { action: 'MEMBER_LEFT', entity: 'account', entityId: id });
  });
}

async function isOnlyMember({ db, tenant }: TenantConnection, id: SignedInUser['id']) {
  const others = await db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), ne(memberships.accountId, id)))
    .limit(1);
  return others.length === 0;
}
