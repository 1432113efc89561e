import { notFound } from '#domain/errors.ts';
import { readOrganization, updateOrganization } from '#domain/organizations/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { logoRoutes } from './logo-routes.ts';
import * as store from './store.ts';

export function organizationRoutes(site: Site): void {
  logoRoutes(site);

  tenantRoute(site, readOrganization, async ({ tenant, params }) => {
    const organization =
      params.orgId === tenant.orgId ? await store.findOrganization(tenant) : null;
    if (!organization) throw notFound();
    return answer(200, organization);
  });

  tenantRoute(site, updateOrganization, async ({ tenant, params, body }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    const planIsPaid = site.billing !== null;
    return answer(200, await store.updateOrganization(tenant, body, planIsPaid));
  });
}
