import * as contract from '#domain/analytics/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { readAnalytics } from './store.ts';

export function analyticsRoutes(site: Site): void {
  tenantRoute(site, contract.readAnalytics, async ({ tenant, query }) =>
    answer(200, await readAnalytics(tenant, query, new Date())),
  );
}
