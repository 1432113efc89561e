import { type CrmVendor, defaultMapping } from '#domain/crm/mapping.ts';
import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { crmConnectionId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { tellOfDestination } from '#server/auth/tell-of-destination.ts';
import { hasFeature } from '#server/billing/has-feature.ts';
import { lockOrganization } from '#server/organizations/store.ts';
import { actingAccount, type Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { paidBy } from '#server/platform/safe-fetch.ts';
import { chooseCrm } from '#server/providers/crm/choose.ts';
import { type Crm, CrmFailure, type Grant } from '#server/providers/crm/port.ts';
import type { Services } from '#server/services.ts';
import { beginFlow, endFlow, takeFlow } from './flow-store.ts';
import { revokeGrant, revokeStored, type StoredAccess } from './revoke-access.ts';
import { sealToken } from './tokens.ts';

const connectionOfVendor: Statement = {
  name: 'crm_connection_of_vendor',
  text: `select id, vendor, account_id as "accountId", refresh_token_sealed as "refreshSealed"
    from crm_connections where org_id = $1 and vendor = $2 for no key update`,
};
const insertConnection: Statement = {
  name: 'insert_crm_connection',
  text: `insert into crm_connections (id, org_id, vendor, account_id, account_name, api_base,
      access_token_sealed, refresh_token_sealed, access_expires_at, connected_by, mapping)
    values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9), $10, $11)`,
};
const renewConnection: Statement = {
  name: 'renew_crm_connection',
  text: `update crm_connections set account_name = $3, api_base = $4, access_token_sealed = $5,
      refresh_token_sealed = $6, access_expires_at = now() + make_interval(secs => $7), connected_by = $8,
      connected_at = now(), attention_at = null, attention_reason = null, paused_until = null,
      refreshing_until = null
    where org_id = $1 and id = $2`,
};
const deleteConnection: Statement = {
  name: 'delete_crm_connection',
  text: 'delete from crm_connections where org_id = $1 and id = $2',
};

/** @throws DomainError 409 if the operator has not configured it */
export function requireCrm(services: Services, orgId: OrgId, vendor: CrmVendor): Crm {
  const crm = chooseCrm(services.config, paidBy(orgId, services.outside.fetch), vendor);
  if (crm) return crm;
  throw new DomainError(
    'conflict',
    'crm_unavailable',
    'This CRM isn’t set up on this installation. Ask your operator.',
  );
}

/** The page to which a vendor redirects, and which sends us the code. Registered with the vendor's app. */
const redirectUriOf = (base: string, vendor: CrmVendor) => `${base}/app/settings/crm/${vendor}`;

/**
 * Begins to connect.
 * @param base the server's public URL
 * @returns where a person allows the access
 * @throws DomainError 402, 409
 */
export async function authorize(
  services: Services,
  tenant: Tenant,
  given: { vendor: CrmVendor; sessionId: string; base: string },
): Promise<string> {
  const crm = requireCrm(services, tenant.orgId, given.vendor);
  await requireFeature(services, tenant);
  const redirectUri = redirectUriOf(given.base, given.vendor);
  const flow = await beginFlow(tenant, services.secrets, { ...given, redirectUri });
  return crm.authorizationUrl({ ...flow, redirectUri });
}

/** @throws DomainError 402 where a card provider is set up and the plan has no CRM integrations */
async function requireFeature({ billing }: Services, tenant: Tenant): Promise<void> {
  if (await tenant.connection((at) => hasFeature(at, billing, 'crmIntegrations'))) return;
  throw new DomainError(
    'plan_limit',
    'plan_limit_crm',
    'CRM integrations are part of the Professional plan. Upgrade in Settings, Billing.',
  );
}

/**
 * Exchanges the code for tokens, and stores the connection. An account that is connected again keeps what was sent;
 * with another account, everything starts over, and the other admins get a mail.
 * @param given `home`: the server's public URL
 * @throws DomainError 400 for a state that is not of this session, was used, or has expired; 402, 409
 */
export async function connect(
  services: Services,
  tenant: Tenant,
  given: { vendor: CrmVendor; sessionId: string; code: string; state: string; home: string },
): Promise<void> {
  const crm = requireCrm(services, tenant.orgId, given.vendor);
  await requireFeature(services, tenant);
  const flow = await takeFlow(tenant, services.secrets, given);
  if (!flow) {
    throw new DomainError(
      'invalid',
      'crm_state',
      'This connection attempt has expired or was used already. Start again from Settings.',
    );
  }
  const grant = await orRefused(crm.exchange({ ...flow, code: given.code }));
  try {
    const access = { token: grant.accessToken, base: grant.apiBase };
    const account = await orRefused(crm.account(access));
    const { refreshToken } = grant;
    if (refreshToken === null) throw refused('It returned no refresh token.');
    const granted = { ...grant, refreshToken };
    const { home } = given;
    const former = await store(services, tenant, crm, { granted, account, flowId: flow.id, home });
    if (former) await revokeStored(services, former, refreshToken);
  } catch (error) {
    await revokeGrant(crm, grant, services);
    throw error;
  }
}

async function orRefused<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CrmFailure) throw refused(error.message);
    throw error;
  }
}

const refused = (details: string) =>
  new DomainError(
    'conflict',
    'crm_refused',
    'The CRM didn’t accept the connection. Please try to connect again.',
    { details },
  );

const disconnected = () =>
  new DomainError(
    'conflict',
    'crm_disconnected',
    'An admin disconnected this CRM meanwhile. Start again from Settings.',
  );

/** @returns the access that the connection had before, if there was one */
async function store(
  { secrets }: Services,
  tenant: Tenant,
  { vendor }: Crm,
  given: {
    granted: Grant & { refreshToken: string };
    account: { id: string; name: string };
    flowId: string;
    home: string;
  },
): Promise<StoredAccess | null> {
  const { orgId } = tenant;
  const { granted, account, flowId, home } = given;
  return tenant.transaction(async (tx) => {
    await lockOrganization(tx);
    const [before] = await tx.run<StoredAccess & { accountId: string }>(connectionOfVendor, [
      orgId,
      vendor,
    ]);
    // After the connection, as a Disconnect does.
    if (!(await endFlow(tx, flowId))) throw disconnected();
    const isSame = before?.accountId === account.id;
    if (before && !isSame) await tx.run(deleteConnection, [orgId, before.id]);
    const id = isSame ? before.id : newId(crmConnectionId);
    const tokens = [granted.accessToken, granted.refreshToken].map((one) =>
      sealToken(secrets, id, one),
    );
    const values = [account.name.slice(0, 300), granted.apiBase, ...tokens];
    const by = [granted.expiresInSeconds, actingAccount(tenant)];
    if (isSame) await tx.run(renewConnection, [orgId, id, ...values, ...by]);
    else {
      const mapping = JSON.stringify(defaultMapping);
      await tx.run(insertConnection, [id, orgId, vendor, account.id, ...values, ...by, mapping]);
    }
    await recordEvent(tx, {
      action: isSame ? 'CRM_RECONNECTED' : 'CRM_CONNECTED',
      entity: 'crm_connection',
      entityId: id,
      metadata: { vendor, accountId: account.id },
    });
    if (!isSame) {
      const about = { kind: 'crm', address: granted.apiBase, isNew: !before } as const;
      await tellOfDestination(tx, about, home);
    }
    return before ?? null;
  });
}
