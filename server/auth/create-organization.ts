import { DomainError } from '#domain/errors.ts';
import { type AccountId, orgId } from '#domain/ids.ts';
import { defaultBrandColor } from '#domain/organizations/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { organizations } from '#server/organizations/tables.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Authority } from '#server/platform/authority.ts';
import type { Database } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { memberships } from './tables.ts';
import type { Self } from './write-as-account.ts';

/** Returns the tenant of an organization that does not exist yet, with the account as its admin. */
export function newTenant(
  database: Database,
  account: AccountId,
  address: string | null,
  by: Authority,
): Tenant {
  const actor = { accountId: account, orgId: newId(orgId), role: 'ORGADMIN' as const };
  return tenantOf(database, { kind: 'user', ...actor }, address, by);
}

/** Inserts the organization of a new tenant, with the account as its first admin. */
export async function insertOrganization(
  tx: TenantConnection,
  account: AccountId,
  name: string,
): Promise<void> {
  const { orgId } = tx.tenant;
  const createdAt = new Date();
  await tx.db
    .insert(organizations)
    .values({ id: orgId, name, brandColor: defaultBrandColor, plan: 'starter', createdAt });
  await tx.db
    .insert(memberships)
    .values({ orgId, accountId: account, role: 'ORGADMIN', createdAt });
  await recordEvent(tx, {
    action: 'ORGANIZATION_CREATED',
    entity: 'organization',
    entityId: orgId,
  });
}

/**
 * Creates an organization for an account that has none (docs/product-decisions.md, People and organizations).
 * @throws DomainError 409 if the account already belongs to one
 */
export async function createOrganization(
  database: Database,
  { user, session, address }: Self & { session: { id: string } },
  name: string,
): Promise<Tenant> {
  const tenant = newTenant(database, user.id, address, { session, permission: null });
  try {
    await tenant.transaction((tx) => insertOrganization(tx, user.id, name));
    return tenant;
  } catch (error) {
    if (!isUniqueViolation(error, 'memberships_one_organization')) throw error;
    throw new DomainError(
      'conflict',
      'already_in_organization',
      'You’re already in an organization. Reload the page to see it.',
    );
  }
}
