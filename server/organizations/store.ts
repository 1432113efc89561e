import type { Organization } from '#domain/organizations/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import { organizations } from './tables.ts';

/** The tenant's own organisation: row-level security lets no other through. */
export async function findOrganization(tenant: Tenant): Promise<Organization | null> {
  const [found] = await tenant.read(({ db }) => db.select().from(organizations));
  return found ?? null;
}
