import type { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import type { Organization, updateOrganizationBody } from '#domain/organizations/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import { brandOf } from './brand.ts';
import { organizations } from './tables.ts';

type Row = typeof organizations.$inferSelect;

/** Returns the tenant's own organization: row-level security hides all others. */
export async function findOrganization(tenant: Tenant): Promise<Organization | null> {
  const [found] = await tenant.connection(({ db }) => db.select().from(organizations));
  return found ? asOrganization(found) : null;
}

/**
 * Updates the fields that differ. The audit event lists them, with values only for the plan.
 * @param planIsPaid true if a card provider is set up, so that the subscription decides the plan
 * @throws DomainError 409 for a plan other than the paid one
 */
export function updateOrganization(
  tenant: Tenant,
  given: z.infer<typeof updateOrganizationBody>,
  planIsPaid: boolean,
): Promise<Organization> {
  return tenant.transaction(async (tx) => {
    const before = await lockOrganization(tx);
    const fields = (['name', 'brandColor', 'plan'] as const).filter(
      (field) => before[field] !== given[field],
    );
    if (planIsPaid && fields.includes('plan')) {
      throw new DomainError(
        'conflict',
        'plan_is_paid',
        'Your subscription sets your plan. Change it in Settings, Billing.',
      );
    }
    if (fields.length === 0) return asOrganization(before);
    const plan = fields.includes('plan') ? { plan: { from: before.plan, to: given.plan } } : {};
    return changeOrganization(tx, given, { action: 'ORGANIZATION_UPDATED', fields, ...plan });
  });
}

/** Locks the organization's row for a change, and returns it. */
export async function lockOrganization(tx: TenantConnection): Promise<Row> {
  const own = eq(organizations.id, tx.tenant.orgId);
  const [row] = await tx.db.select().from(organizations).where(own).for('no key update');
  if (!row) throw notFound();
  return row;
}

/** Updates the locked row, and records the audit event. */
export async function changeOrganization(
  tx: TenantConnection,
  changed: Partial<Row>,
  { action, ...metadata }: { action: Uppercase<string> } & Record<string, unknown>,
): Promise<Organization> {
  const { orgId } = tx.tenant;
  const [row] = await tx.db
    .update(organizations)
    .set(changed)
    .where(eq(organizations.id, orgId))
    .returning();
  if (!row) throw notFound();
  await recordEvent(tx, { action, entity: 'organization', entityId: orgId, metadata });
  return asOrganization(row);
}

export const asOrganization = (row: Row): Organization => ({
  id: row.id,
  plan: row.plan,
  ...brandOf(row),
});
