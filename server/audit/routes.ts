import * as contract from '#domain/audit/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { exportEvents } from './export-events.ts';
import { listAuditEvents, readAuditChoices } from './store.ts';

export function auditRoutes(site: Site): void {
  const exporting = limit(site, 'exports', 30, 600);

  tenantRoute(site, contract.listAuditEvents, async ({ tenant, query, request }) => {
    const body = await listAuditEvents(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.readAuditChoices, async ({ tenant }) =>
    answer(200, await readAuditChoices(tenant)),
  );

  tenantRoute(site, contract.exportAuditEvents, async ({ tenant, query, user }) => {
    exporting(user.id);
    const { format, ...filter } = query;
    const { type, content } = await exportEvents(tenant, format, filter);
    const day = new Date().toISOString().slice(0, 10);
    return answer(200, content, {
      'content-type': type,
      'content-disposition': `attachment; filename="audit-log-${day}.${format}"`,
      'cache-control': 'no-store',
    });
  });
}
