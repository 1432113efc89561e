import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { ownerOfAddress } from '#server/auth/refuse-owned-domain.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { removeCredentials } from '#server/auth/verify-address.ts';
import { archivePersonalRoom } from '#server/links/personal-room.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { lockAdmins } from './member-store.ts';

interface Holder {
  id: AccountId;
  isVerified: boolean;
  orgId: OrgId;
  role: Role;
}
const holderOfAddress: Statement = {
  name: 'holder_of_address',
  text: `select a.id, a.email_verified_at is not null as "isVerified", m.org_id as "orgId", m.role
    from accounts a cross join lateral find_membership(a.id) m where a.email = $1`,
};

/**
 * Takes an account with an unverified address of the tenant's verified domain out of another
 * organization, even as its last admin, and removes what signs in to it. Does nothing for a verified
 * address, for an operator, and for a domain of others. The account is then in no organization.
 */
export async function reclaimAccount(
  { database }: Pick<Services, 'database'>,
  tenant: Tenant,
  email: string,
): Promise<void> {
  const holder = await tenant.read(async (at) => {
    if ((await ownerOfAddress(at, email)) !== tenant.orgId) return null;
    const [found] = await at.run<Holder & Record<string, unknown>>(holderOfAddress, [email]);
    return found ?? null;
  });
  if (!holder || holder.isVerified || holder.role === 'SUPERADMIN') return;
  if (holder.orgId === tenant.orgId) return;
  const { id: accountId, orgId } = holder;
  const owner = { kind: 'system' as const, name: 'domain-owner', orgId };
  await leaveUnverified(tenantOf(database, owner, null), accountId);
}

/** @returns false when the address was verified, or the membership ended, in the meantime */
function leaveUnverified(former: Tenant, id: AccountId): Promise<boolean> {
  return former.write(async (tx) => {
    await lockAdmins(tx);
    const [unverified] = await tx.db
      .update(accounts)
      .set({ profileImageUrl: null })
      .where(and(eq(accounts.id, id), isNull(accounts.emailVerifiedAt)))
      .returning({ id: accounts.id });
    if (!unverified) return false;
    await archivePersonalRoom(tx, id);
    const ended = await tx.db
      .delete(memberships)
      .where(and(eq(memberships.orgId, former.orgId), eq(memberships.accountId, id)))
      .returning({ id: memberships.accountId });
    if (ended.length === 0) return false;
    await removeCredentials(tx, id);
    await recordEvent(tx, {
      action: 'MEMBER_REMOVED',
      entity: 'account',
      entityId: id,
      metadata: { reason: 'domain_owned' },
    });
    return true;
  });
}
