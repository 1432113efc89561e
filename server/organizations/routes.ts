import { notFound } from '#domain/errors.ts';
import { readOrganization } from '#domain/organizations/contract.ts';
import { answer, type Site, tenantRoute } from '#server/platform/route.ts';
import { findOrganization } from './store.ts';

export function organizationRoutes(site: Site): void {
  tenantRoute(site, readOrganization, async ({ tenant, params }) => {
    const organization = params.orgId === tenant.orgId ? await findOrganization(tenant) : null;
    if (!organization) throw notFound();
    return answer(200, organization);
  });
}
