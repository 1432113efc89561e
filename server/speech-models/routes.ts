import * as contract from '#domain/speech-models/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { changeModel, fetchModelFor, removeModelFor } from './change-models.ts';
import { readModels } from './read-models.ts';

export function speechModelRoutes(site: Site): void {
  tenantRoute(site, contract.listSpeechModels, async ({ tenant }) =>
    answer(200, { models: await tenant.connection((at) => readModels(at, site)) }),
  );

  tenantRoute(site, contract.fetchSpeechModel, async ({ tenant, params }) =>
    answer(200, { models: await changeModel(tenant, site, params.name, fetchModelFor) }),
  );

  tenantRoute(site, contract.removeSpeechModel, async ({ tenant, params }) =>
    answer(200, { models: await changeModel(tenant, site, params.name, removeModelFor) }),
  );
}
