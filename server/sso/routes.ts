import { DomainError, notFound } from '#domain/errors.ts';
import * as contract from '#domain/sso/contract.ts';
import { domainOf } from '#domain/sso/rules.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { ownerOfAddress } from '#server/auth/refuse-owned-domain.ts';
import { answer, publicRoute, type Site, tenantRoute } from '#server/http/route.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { ownPath } from '#server/platform/own-path.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { keepBrowserSecret } from './browser-cookie.ts';
import { checkDomain } from './check-domain.ts';
import * as connections from './connection-store.ts';
import * as domains from './domain-store.ts';
import { findTest } from './flow-store.ts';
import { countUnbound, readPolicy, updatePolicy } from './policy-store.ts';
import { ssoProtocolRoutes } from './protocol-routes.ts';
import { requirePlan } from './require-plan.ts';
import { startFlow } from './start-flow.ts';
import { setUpConnection } from './update-connection.ts';

export function ssoRoutes(site: Site): void {
  ssoProtocolRoutes(site);
  settingsRoutes(site);
  domainRoutes(site);

  // Also per network, because one network could use up a limit that all of them share.
  const startingFrom = limit(site, 'sso_start_network', 120, 60);
  publicRoute(site, contract.startSso, async ({ body, request, reply }) => {
    const domain = domainOf(body.email);
    const orgId = await site.database.connection('outside', (at) => ownerOfAddress(at, body.email));
    if (!orgId) throw unknownDomain();
    const system = { kind: 'system' as const, name: 'sso', orgId };
    const tenant = tenantOf(site.database, system, request.ip);
    const id = await tenant.connection((at) => domains.connectionOfDomain(at, domain));
    const connection = id && (await connections.findConnection(tenant, id));
    if (!connection?.enabledAt) throw unknownDomain();
    startingFrom(`${connection.id} ${networkKey(request.ip)}`);
    const { url } = await startFlow(site, tenant, connection, publicUrl(site.config, request), {
      purpose: 'sign-in',
      browser: keepBrowserSecret(request, reply),
      next: ownPath(body.next),
      createdBy: null,
      loginHint: body.email,
    });
    return answer(200, { url });
  });
}

const unknownDomain = () =>
  new DomainError(
    'not_found',
    'no_sso_for_domain',
    'Single sign-on isn’t set up for this address. Sign in with your password.',
  );

function settingsRoutes(site: Site): void {
  /** Limits the server's requests to addresses that admins enter. */
  const asking = limit(site, 'sso_setup', 30, 60);
  /** Setting up and testing are free; only switching it on needs the plan. */
  const planOf = (tenant: Tenant) => tenant.connection((tx) => requirePlan(tx, site.billing));

  tenantRoute(site, contract.readSso, async ({ tenant, request }) => {
    const base = publicUrl(site.config, request);
    // The count reads all members.
    const { rows, ...settings } = await tenant.sharedRead(['sso'], async (at) => ({
      rows: await connections.listConnections(at),
      domains: await domains.listDomains(at),
      policy: await readPolicy(at),
      unboundMembers: await countUnbound(at),
    }));
    const shown = rows.map((row) => connections.asConnection(row, base));
    return answer(200, { connections: shown, ...settings });
  });

  tenantRoute(site, contract.createConnection, async ({ tenant, session, body, request }) => {
    refuseStale(session);
    const base = publicUrl(site.config, request);
    const row = await connections.createConnection(tenant, body, base);
    return answer(201, connections.asConnection(row, base));
  });

  tenantRoute(site, contract.updateConnection, async (given) => {
    const { tenant, session, params, body, request } = given;
    asking(tenant.orgId);
    refuseStale(session);
    if (body.enabled) await planOf(tenant);
    const base = publicUrl(site.config, request);
    const row = await setUpConnection(site, tenant, params.id, body, { session, home: base });
    return answer(200, connections.asConnection(row, base));
  });

  tenantRoute(site, contract.removeConnection, async ({ tenant, session, params, request }) => {
    refuseStale(session);
    const by = { session, home: publicUrl(site.config, request) };
    await connections.removeConnection(tenant, params.id, by);
    return answer(204, null);
  });

  tenantRoute(site, contract.testConnection, async ({ tenant, user, params, request, reply }) => {
    asking(tenant.orgId);
    const connection = await connections.findConnection(tenant, params.id);
    const begun = await startFlow(site, tenant, connection, publicUrl(site.config, request), {
      purpose: 'test',
      browser: keepBrowserSecret(request, reply),
      next: null,
      createdBy: user.id,
      loginHint: null,
    });
    return answer(200, begun);
  });

  tenantRoute(site, contract.readTest, async ({ tenant, params }) => {
    const found = await findTest(tenant, params.id);
    if (!found) throw notFound();
    return answer(200, found);
  });

  tenantRoute(site, contract.updatePolicy, async ({ tenant, session, body, request }) => {
    refuseStale(session);
    if (body.required) await planOf(tenant);
    const base = publicUrl(site.config, request);
    return answer(200, await updatePolicy(tenant, body, session, base));
  });
}

function domainRoutes(site: Site): void {
  const checking = limit(site, 'sso_domain', 30, 60);

  // The job may verify the domain, and assign it to a connection, once its record is there.
  tenantRoute(site, contract.claimDomain, async ({ tenant, session, body }) => {
    refuseStale(session);
    return answer(201, await domains.claimDomain(tenant, body.domain));
  });

  tenantRoute(site, contract.verifyDomain, async ({ tenant, session, params, request }) => {
    checking(tenant.orgId);
    refuseStale(session);
    const by = { session, home: publicUrl(site.config, request) };
    const { txtRecords } = site.outside;
    return answer(200, await checkDomain(tenant, params.id, txtRecords, by));
  });

  tenantRoute(site, contract.assignDomain, async ({ tenant, session, params, body, request }) => {
    refuseStale(session);
    const by = { session, home: publicUrl(site.config, request) };
    return answer(200, await domains.assignDomain(tenant, params.id, body.connectionId, by));
  });

  tenantRoute(site, contract.removeDomain, async ({ tenant, session, params, request }) => {
    refuseStale(session);
    const by = { session, home: publicUrl(site.config, request) };
    await domains.removeDomain(tenant, params.id, by);
    return answer(204, null);
  });
}
