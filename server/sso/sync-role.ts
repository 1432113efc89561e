import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import type { SsoRole } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import { memberships } from '#server/auth/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { lockAdmins } from '#server/team/member-store.ts';
import { SsoRefusal } from './asserted.ts';

/**
 * Gives a member the role that the identity provider says, at each sign-in. The organization's last
 * admin keeps the role: nobody could set it right again.
 * @param known the role before anything was locked
 * @throws SsoRefusal for somebody who is no member any more
 */
export async function syncRole(
  tx: TenantConnection,
  id: AccountId,
  known: Role,
  mapped: SsoRole | null,
): Promise<Role> {
  if (mapped === null || mapped === known) return known;
  const { db, tenant } = tx;
  const admins = await lockAdmins(tx);
  // Looked at again: whoever changed it meanwhile may have made this the last admin.
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
  if (!member) throw new SsoRefusal('account', 'This person was removed a moment ago.');
  const { role } = member;
  if (role === mapped) return role;
  if (role === 'ORGADMIN' && !admins.some((other) => other !== id)) return role;
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
