import { notFound } from '#domain/errors.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import * as contract from '#domain/shares/contract.ts';
import { answer, publicRoute, type Site, tenantRoute } from '#server/http/route.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { answerPaceOf } from '#server/platform/bounded-answers.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { readOrganizationToken } from '#server/platform/tokens.ts';
import { chargeFor, inTurn } from '#server/recordings/shown-files.ts';
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
    const actor = { kind: 'system', name: 'shared-recording', orgId: token.orgId } as const;
    // Apart from what members are answered, which strangers must not use up. Their addresses take turns.
    const payer = `${token.orgId} shares` as OrgId;
    const reader = addressKey(request.ip) as AccountId;
    const pace = () => answerPaceOf(request, payer, reader);
    // The addresses in it expire, and the link may be revoked.
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    const viewer = { actor, address: request.ip };
    const shared = await inTurn(payer, reader, () =>
      readShared(site, viewer, { hash: token.hash, pace }),
    );
    chargeFor(request.answerReader, shared.people);
    return answer(200, shared);
  });
}
