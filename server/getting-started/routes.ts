import * as contract from '#domain/getting-started/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { readFirstHour, recordStep } from './store.ts';

export function gettingStartedRoutes(site: Site): void {
  tenantRoute(site, contract.readGettingStarted, async ({ tenant, user }) =>
    answer(200, await readFirstHour(tenant, user.id, new Date())),
  );

  tenantRoute(site, contract.recordFirstStep, async ({ tenant, user, body }) => {
    await recordStep(tenant, user.id, body.step);
    return answer(204, null);
  });
}
