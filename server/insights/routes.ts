import * as contract from '#domain/insights/contract.ts';
import { findCallWithoutNotes, requireCall } from '#server/calls/store.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { generate } from './generate.ts';
import { claim, findInsights } from './store.ts';

export function insightRoutes(site: Site): void {
  const generating = limit(site, 'insights', 10, 60);
  const ofOrganization = limit(site, 'insights', 20, 60);
  const running = new Set<Promise<unknown>>();
  const stopped = new AbortController();
  site.http.addHook('onClose', async () => {
    stopped.abort();
    await Promise.allSettled(running);
  });

  tenantRoute(site, contract.readInsights, async ({ tenant, params }) => {
    const found = await tenant.connection(async (at) => {
      const insights = await findInsights(at, params.id);
      if (insights.state === 'none') await requireCall(at, params.id);
      return insights;
    });
    return answer(200, found);
  });

  tenantRoute(site, contract.generateInsights, async ({ tenant, params, body, user }) => {
    generating(user.id);
    ofOrganization(tenant.orgId);
    const call = await findCallWithoutNotes(tenant, params.id);
    // While a call runs, its insights stay `none`.
    if (call.endedAt !== null && (await claim(tenant, call.id))) {
      // Takes longer than a page waits. If the process ends meanwhile, the job does it.
      const { orgId } = tenant;
      const system = tenantOf(site.database, { kind: 'system', name: 'insights', orgId }, null);
      const how = { timeZone: body.timeZone, signal: stopped.signal };
      const work = generate(site, system, call.id, how).finally(() => running.delete(work));
      running.add(work);
    }
    return answer(200, await tenant.connection((at) => findInsights(at, call.id)));
  });
}
