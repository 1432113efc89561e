import type { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import type { Organization, updateOrganizationBody } from '#domain/organizations/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import { brandOf } from './brand.ts';
import { organizations } from './tables.ts';

type Row = typeof organizations.$inferSelect;

/** The tenant's own organization: row-level security lets no other through. */
export async function findOrganization(tenant: Tenant): Promise<Organization | null> {
  const [found] = await tenant.connection(({ db }) => db.select().from(organizations));
  return found ? asOrganization(found) : null;
}

/**
 * Changes what differs; the audit event names those fields, and the plan's values.
 * @param planIsPaid where a card provider is set up, the subscription decides about the plan
 * @throws DomainError 409 for another plan than the paid one
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
        'Your plan follows your subscription. Change it in Settings, Billing.',
      );
    }
    if (fields.length === 0) return asOrganization(before);
    const plan = fields.includes('plan') ? { plan: { from: before.plan, to: given.plan } } : {};
    return changeOrganization(tx, given, { action: 'ORGANIZATION_UPDATED', fields, ...plan });
  });
}

/** Whoever changes an organization waits here for whoever does so already. */
export async function lockOrganization(tx: TenantConnection): Promise<Row> {
  const own = eq(organizations.id, tx.tenant.orgId);
  const [row] = await tx.db.select().from(organizations).where(own).for('no key update');
  if (!row) throw notFound();
  return row;
}

/** Changes the row, locked before, and writes the audit event of it. */
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
