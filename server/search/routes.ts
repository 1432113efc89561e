import { searchCalls } from '#domain/search/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { searchAllCalls } from './search-calls.ts';

export function searchRoutes(site: Site): void {
  tenantRoute(site, searchCalls, async ({ tenant, query }) =>
    answer(200, await searchAllCalls(tenant, query)),
  );
}
