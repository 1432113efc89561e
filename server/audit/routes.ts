import * as contract from '#domain/audit/contract.ts';
import { nextPage } from '#server/platform/paging.ts';
import { answer, type Site, tenantRoute } from '#server/platform/route.ts';
import { listAuditEvents } from './store.ts';

export function auditRoutes(site: Site): void {
  tenantRoute(site, contract.listAuditEvents, async ({ tenant, query, request }) => {
    const body = await listAuditEvents(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });
}
