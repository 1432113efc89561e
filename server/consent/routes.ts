import * as contract from '#domain/consent/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import * as settings from './capture-settings.ts';
import { exportReceipts, listReceipts } from './receipts.ts';

export function consentRoutes(site: Site): void {
  const exporting = limit(site, 'exports', 30, 600);

  tenantRoute(site, contract.readOrganizationCapture, async ({ tenant }) =>
    answer(200, await tenant.connection(settings.readOrganizationCapture)),
  );

  tenantRoute(site, contract.changeOrganizationCapture, async ({ tenant, body }) =>
    answer(200, await settings.changeOrganizationCapture(tenant, body)),
  );

  tenantRoute(site, contract.readRoomCapture, async ({ tenant, params }) =>
    answer(200, await tenant.connection((at) => settings.readRoomCapture(at, params.id))),
  );

  tenantRoute(site, contract.changeRoomCapture, async ({ tenant, params, body }) => {
    const changed = await settings.changeRoomCapture(tenant, params.id, body);
    // Guests in the preview may have something else to agree to.
    tellLobbyChange(site.bus, { orgId: tenant.orgId, roomId: params.id });
    return answer(200, changed);
  });

  tenantRoute(site, contract.listConsents, async ({ tenant, params, query, request }) => {
    const body = await listReceipts(tenant, params.id, query);
    return answer(200, body, nextPage(request, query, body));
  });

  tenantRoute(site, contract.exportConsents, async ({ tenant, user }) => {
    exporting(user.id);
    const day = new Date().toISOString().slice(0, 10);
    return answer(200, await exportReceipts(tenant), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="consents-${day}.csv"`,
      'cache-control': 'no-store',
    });
  });
}
