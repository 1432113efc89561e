import * as contract from '#domain/embedding/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { listOrigins, replaceOrigins } from './store.ts';

export function embeddingRoutes(site: Site): void {
  tenantRoute(site, contract.readEmbedding, async ({ tenant }) =>
    answer(200, { origins: await listOrigins(tenant) }),
  );

  tenantRoute(site, contract.updateEmbedding, async ({ tenant, body }) =>
    answer(200, { origins: await replaceOrigins(tenant, body.origins) }),
  );
}
