import type { FastifyRequest } from 'fastify';
import * as contract from '#domain/api/contract.ts';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { refuseUnverified } from '#server/auth/verify-email.ts';
import { answer, type Site, sessionRoute, tenantOfUser, tenantRoute } from '#server/http/route.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import * as tokens from './token-store.ts';

/** Registers the settings of API tokens, which take no API token themselves. */
export function apiTokenRoutes(site: Site): void {
  const making = limit(site, 'api_tokens', 30, 600);
  const changing = (user: SignedInUser, request: FastifyRequest) => ({
    user,
    address: request.ip,
    publicUrl: publicUrl(site.config, request),
  });

  sessionRoute(site, contract.listApiTokens, async ({ user, session, query, request }) => {
    const tenant = tenantOfUser(site, { user, session }, request, null);
    const body = await tokens.listPersonal(tenant, user.id, query);
    return answer(200, body, nextPage(request, query, body));
  });
  sessionRoute(site, contract.createApiToken, async ({ user, session, body, request }) => {
    const tenant = tenantOfUser(site, { user, session }, request, null);
    refuseUnverified(user);
    refuseStale(session);
    making(user.id);
    const { ssoOrgId, twoFactors } = session;
    const of = { accountId: user.id, ssoOrgId, twoFactors, session };
    return answer(201, await tokens.createToken(tenant, of, changing(user, request), body));
  });
  sessionRoute(site, contract.revokeApiToken, async ({ user, session, params, request }) => {
    const tenant = tenantOfUser(site, { user, session }, request, null);
    await tokens.revokeToken(tenant, params.id, user.id);
    return answer(204, null);
  });

  tenantRoute(site, contract.listOrganizationTokens, async ({ tenant, query, request }) => {
    const body = await tokens.listOfOrganization(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });
  tenantRoute(
    site,
    contract.createOrganizationToken,
    async ({ tenant, user, session, body, request }) => {
      refuseStale(session);
      making(user.id);
      const by = changing(user, request);
      return answer(201, await tokens.createToken(tenant, tokens.ofOrganization, by, body));
    },
  );
  tenantRoute(site, contract.revokeOrganizationToken, async ({ tenant, params }) => {
    await tokens.revokeToken(tenant, params.id, null);
    return answer(204, null);
  });
}
