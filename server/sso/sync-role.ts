import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import type { SsoRole } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import { memberships } from '#server/auth/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { hasOtherAdmin, lockAdmins } from '#server/team/member-store.ts';
import { SsoRefusal } from './asserted.ts';

/**
 * Sets a member's role from the identity provider's claims, at each sign-in. The organization's last admin
 * keeps the role, because no one else could restore it.
 * @param known the role that was read before the lock
 * @param asserted the role that the provider named, and when it was asked
 * @throws SsoRefusal if the person is no longer a member, or their role was changed since then
 */
export async function syncRole(
  tx: TenantConnection,
  id: AccountId,
  known: Role,
  { mapped, askedAt }: { mapped: SsoRole | null; askedAt: Date },
): Promise<Role> {
  if (mapped === null || mapped === known) return known;
  const { db, tenant } = tx;
  await lockAdmins(tx);
  // Read again under the lock: a concurrent change may have made this the last admin.
  const [member] = await db
    .select({ role: memberships.role, changedAt: memberships.roleChangedAt })
    .from(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
  if (!member) throw new SsoRefusal('account', 'This person was removed a moment ago.');
  const { role, changedAt } = member;
  if (role === mapped) return role;
  if (changedAt >= askedAt)
    throw new SsoRefusal('request', 'The role was changed after this sign-in began.');
  if (role === 'ORGADMIN' && !(await hasOtherAdmin(tx, id))) return role;
  await db
    .update(memberships)
    .set({ role: mapped })
    .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
  await keepBreakGlass(tx);
  await recordEvent(tx, {
    action: 'ROLE_UPDATED',
    entity: 'account',
    entityId: id,
    metadata: { role: { from: role, to: mapped } },
  });
  return mapped;
}
