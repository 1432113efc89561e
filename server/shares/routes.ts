import { notFound } from '#domain/errors.ts';
import * as contract from '#domain/shares/contract.ts';
import { answer, publicRoute, type Site, tenantRoute } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { readOrganizationToken } from '#server/platform/tokens.ts';
import { readShared } from './read-shared.ts';
import { shareToken } from './share-token.ts';
import { createShare, listShares, revokeShare } from './store.ts';

export function shareRoutes(site: Site): void {
  tenantRoute(site, contract.listShares, async ({ tenant, params }) =>
    answer(200, await listShares(tenant, params.id)),
  );

  tenantRoute(site, contract.createShare, async ({ tenant, params, body, request }) => {
    const { share, token } = await createShare(tenant, params.id, body);
    const url = `${publicUrl(site.config, request)}/shared/${token}`;
    return answer(201, { ...share, url });
  });

  tenantRoute(site, contract.revokeShare, async ({ tenant, params }) => {
    await revokeShare(tenant, params.id);
    return answer(204, null);
  });

  publicRoute(site, contract.readShared, async ({ params, request, reply }) => {
    const token = readOrganizationToken(params.token, shareToken);
    if (!token) throw notFound();
    const viewer = { kind: 'system', name: 'shared-recording', orgId: token.orgId } as const;
    const tenant = tenantOf(site.database, viewer, request.ip);
    // The addresses in it expire, and the link may be revoked.
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    return answer(200, await readShared(tenant, token.hash, site.secrets));
  });
}
