import * as contract from '#domain/ai-settings/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { readSettings, updateSettings } from './store.ts';

export function aiSettingsRoutes(site: Site): void {
  tenantRoute(site, contract.readAiSettings, async ({ tenant }) =>
    answer(200, await tenant.connection((at) => readSettings(at, site))),
  );

  tenantRoute(site, contract.updateAiSettings, async ({ tenant, body }) =>
    answer(200, await updateSettings(tenant, site, body)),
  );
}
