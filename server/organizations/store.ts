import type { z } from 'zod';
import { notFound } from '#domain/errors.ts';
import type { Organization, updateOrganizationBody } from '#domain/organizations/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import { organizations } from './tables.ts';

/** The tenant's own organisation: row-level security lets no other through. */
export async function findOrganization(tenant: Tenant): Promise<Organization | null> {
  const [found] = await tenant.read(({ db }) => db.select().from(organizations));
  return found ?? null;
}

/** Changes what differs; the audit event names those fields, and the plan's values. */
export function updateOrganization(
  tenant: Tenant,
  given: z.infer<typeof updateOrganizationBody>,
): Promise<Organization> {
  return tenant.write(async (tx) => {
    const own = eq(organizations.id, tenant.orgId);
    const [before] = await tx.db.select().from(organizations).where(own).for('update');
    if (!before) throw notFound();
    const fields = (['name', 'brandColor', 'plan'] as const).filter(
      (field) => before[field] !== given[field],
    );
    if (fields.length === 0) return before;
    const [after] = await tx.db.update(organizations).set(given).where(own).returning();
    const plan = fields.includes('plan') ? { plan: { from: before.plan, to: given.plan } } : {};
    await recordEvent(tx, {
      action: 'ORGANIZATION_UPDATED',
      entity: 'organization',
      entityId: tenant.orgId,
      metadata: { fields, ...plan },
    });
    return after ?? before;
  });
}
