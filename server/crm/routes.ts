import type { CrmConnection } from '#domain/crm/contract.ts';
import * as contract from '#domain/crm/contract.ts';
import type { CrmVendor } from '#domain/crm/mapping.ts';
import { notFound } from '#domain/errors.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { chooseCrm } from '#server/providers/crm/choose.ts';
import { authorize, connect } from './connect.ts';
import { listConnections, updateConnection } from './connection-store.ts';
import { disconnect } from './disconnect.ts';
import { previewMapping } from './preview.ts';
import { listSyncs, retrySyncOf } from './sync-store.ts';

export function crmRoutes(site: Site): void {
  /** Of one person: each makes requests to a CRM. */
  const connecting = limit(site, 'crm', 20, 600);
  /** Of one person, who looks at each change of a mapping. */
  const previewing = limit(site, 'crm_preview', 60, 60);
  const isConfigured = (vendor: CrmVendor) =>
    chooseCrm(site.config, site.outside.fetch, vendor) !== null;
  const read = async (tenant: Tenant, is: (one: CrmConnection) => boolean) => {
    const one = (await listConnections(tenant, isConfigured)).find(is);
    if (!one) throw notFound();
    return one;
  };

  tenantRoute(site, contract.listCrmConnections, async ({ tenant }) =>
    answer(200, await listConnections(tenant, isConfigured)),
  );
  tenantRoute(site, contract.authorizeCrm, async ({ tenant, user, session, body, request }) => {
    connecting(user.id);
    const base = publicUrl(site.config, request);
    const given = { ...body, sessionId: session.id, base };
    return answer(201, { url: await authorize(site, tenant, given) });
  });
  tenantRoute(site, contract.connectCrm, async ({ tenant, user, session, body, request }) => {
    connecting(user.id);
    const home = publicUrl(site.config, request);
    await connect(site, tenant, { ...body, sessionId: session.id, home });
    return answer(201, await read(tenant, ({ vendor }) => vendor === body.vendor));
  });
  tenantRoute(site, contract.updateCrm, async ({ tenant, params, body }) => {
    await updateConnection(tenant, params.id, body);
    return answer(200, await read(tenant, ({ id }) => id === params.id));
  });
  tenantRoute(site, contract.previewCrm, async ({ tenant, user, params, body }) => {
    previewing(user.id);
    return answer(200, await previewMapping(site, tenant, params.id, body.mapping));
  });
  tenantRoute(site, contract.disconnectCrm, async ({ tenant, params }) =>
    answer(200, { isRevoked: await disconnect(site, tenant, params.id) }),
  );

  tenantRoute(site, contract.listCrmSyncs, async ({ tenant, params }) =>
    answer(200, await listSyncs(tenant, params.id)),
  );
  tenantRoute(site, contract.retryCrmSync, async ({ tenant, user, params, body }) => {
    connecting(user.id);
    return answer(200, await retrySyncOf(tenant, params.id, body.vendor));
  });
}
