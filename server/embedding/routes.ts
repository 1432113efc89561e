import * as contract from '#domain/embedding/contract.ts';
import { notFound } from '#domain/errors.ts';
import { answer, publicRoute, type Site, tenantRoute } from '#server/http/route.ts';
import { mintEmbedToken } from './mint-embed-token.ts';
import { listOrigins, organizationOf, originsOf, replaceOrigins } from './store.ts';

export function embeddingRoutes(site: Site): void {
  tenantRoute(site, contract.readEmbedding, async ({ tenant }) =>
    answer(200, { origins: await listOrigins(tenant) }),
  );

  tenantRoute(site, contract.updateEmbedding, async ({ tenant, body }) =>
    answer(200, { origins: await replaceOrigins(tenant, body.origins) }),
  );

  publicRoute(site, contract.readListedOrigins, async ({ params }) => {
    const orgId = organizationOf(site, params.token);
    if (!orgId) throw notFound();
    return answer(200, { origins: await originsOf(site, orgId) });
  });

  tenantRoute(site, contract.mintEmbedToken, async ({ tenant, params, body }) =>
    answer(201, await mintEmbedToken(tenant, site.secrets, params.id, body)),
  );
}
