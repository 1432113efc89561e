import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import type { SsoRole } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import { memberships } from '#server/auth/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { and, eq, inArray } from '#server/platform/drizzle.ts';

/**
 * Gives a member the role that the identity provider says, at each sign-in. The organisation's last
 * admin keeps the role: nobody could set it right again.
 */
export async function syncRole(
  tx: TenantConnection,
  id: AccountId,
  role: Role,
  mapped: SsoRole | null,
): Promise<Role> {
  if (mapped === null || mapped === role) return role;
  const { db, tenant } = tx;
  const admins = await db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(
      and(
        eq(memberships.orgId, tenant.orgId),
        inArray(memberships.role, ['SUPERADMIN', 'ORGADMIN']),
      ),
    )
    .orderBy(memberships.accountId)
    .for('update');
  if (role === 'ORGADMIN' && !admins.some((other) => other.id !== id)) return role;
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
