import { notFound } from '#domain/errors.ts';
import * as contract from '#domain/scim/contract.ts';
import { scimPath } from '#domain/scim/endpoints.ts';
import { ScimError } from '#domain/scim/error.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { nextPage } from '#server/platform/paging.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { mapGroupToRole } from './change-group.ts';
import { readDefaultRole } from './grant-roles.ts';
import { chooseDefaultRole, findScimGroup, listScimGroups } from './group-list.ts';
import * as tokens from './token-store.ts';

/** Registers the admins' settings, under /api. The protocol itself is in protocol.ts. */
export function scimRoutes(site: Site): void {
  const making = limit(site, 'scim_tokens', 30, 600);

  tenantRoute(site, contract.listScimTokens, async ({ tenant, query, request }) => {
    const body = await tokens.listTokens(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });
  tenantRoute(site, contract.createScimToken, async ({ tenant, user, session, body, request }) => {
    refuseStale(session);
    making(user.id);
    const home = publicUrl(site.config, request);
    return answer(201, await tokens.createToken(tenant, body, site.billing, home));
  });
  tenantRoute(
    site,
    contract.rotateScimToken,
    async ({ tenant, user, session, params, body, request }) => {
      refuseStale(session);
      making(user.id);
      const home = publicUrl(site.config, request);
      return answer(201, await tokens.rotateToken(tenant, params.id, body, home));
    },
  );
  tenantRoute(site, contract.adoptScimToken, async ({ tenant, user, session, params, request }) => {
    refuseStale(session);
    making(user.id);
    const home = publicUrl(site.config, request);
    return answer(200, await tokens.adoptToken(tenant, params.id, home));
  });
  tenantRoute(site, contract.revokeScimToken, async ({ tenant, params }) => {
    await tokens.revokeToken(tenant, params.id);
    return answer(204, null);
  });

  tenantRoute(site, contract.listScimGroups, async ({ tenant, query, request }) => {
    const body = await listScimGroups(tenant, query);
    return answer(200, body, nextPage(request, query, body));
  });
  tenantRoute(site, contract.setGroupRole, async ({ tenant, params, body }) => {
    await mapGroupToRole(tenant, params.id, body.role).catch((error: unknown) => {
      throw error instanceof ScimError && error.status === 404 ? notFound() : error;
    });
    const group = await findScimGroup(tenant, params.id);
    if (!group) throw notFound();
    return answer(200, group);
  });

  const settingsOf = async (tenant: Tenant, base: string) => ({
    endpoint: `${base}${scimPath}`,
    defaultRole: await tenant.connection(readDefaultRole),
  });
  tenantRoute(site, contract.readScimSettings, async ({ tenant, request }) =>
    answer(200, await settingsOf(tenant, publicUrl(site.config, request))),
  );
  tenantRoute(site, contract.updateScimSettings, async ({ tenant, body, request }) => {
    await chooseDefaultRole(tenant, body.defaultRole);
    return answer(200, await settingsOf(tenant, publicUrl(site.config, request)));
  });
}
