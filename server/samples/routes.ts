import * as contract from '#domain/samples/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { loadSamples } from './load-samples.ts';
import { removeSamples } from './remove-samples.ts';

export function sampleRoutes(site: Site): void {
  tenantRoute(site, contract.loadSamples, async ({ tenant, user, body }) => {
    const { loadedAt, isNew } = await loadSamples(tenant, user, body.language, new Date());
    const loaded = { loadedAt: loadedAt.toISOString() };
    return isNew ? answer(201, loaded) : answer(200, loaded);
  });

  tenantRoute(site, contract.removeSamples, async ({ tenant }) => {
    await removeSamples(tenant);
    return answer(204, null);
  });
}
