import { isDeepStrictEqual } from 'node:util';
import { DomainError, notFound } from '#domain/errors.ts';
import { type AccountId, type OrgId, type SsoConnectionId, ssoConnectionId } from '#domain/ids.ts';
import type { SsoConnection } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepSession } from '#server/auth/keep-session.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { and, asc, eq, isNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { keepRequirementUsable, lockSsoSettings } from './policy-store.ts';
import { describeCertificate } from './saml-metadata.ts';
import { ssoAssertions, ssoConnections, ssoDomains, ssoFlows } from './tables.ts';
import { type ChangingSso, tellAdmins } from './tell-admins.ts';

export type ConnectionRow = typeof ssoConnections.$inferSelect;
export type ConnectionChange = Omit<
  ConnectionRow,
  'id' | 'orgId' | 'kind' | 'enabledAt' | 'enabledBy' | 'createdBy' | 'createdAt'
> & { enabled: boolean };
const mostConnections = 50;

export const listConnections = async ({ db, tenant }: TenantConnection): Promise<ConnectionRow[]> =>
  db
    .select()
    .from(ssoConnections)
    .where(eq(ssoConnections.orgId, tenant.orgId))
    .orderBy(asc(ssoConnections.id));

/** @throws DomainError 404 */
export async function findConnection(tenant: Tenant, id: SsoConnectionId): Promise<ConnectionRow> {
  const [found] = await tenant.connection(({ db }) =>
    db.select().from(ssoConnections).where(own(tenant, id)),
  );
  if (!found) throw notFound();
  return found;
}

/** Returns the organization's connection if it has exactly one, to assign verified domains to it. */
export async function onlyConnection(tx: TenantConnection): Promise<SsoConnectionId | null> {
  const [first, second] = await tx.db
    .select({ id: ssoConnections.id })
    .from(ssoConnections)
    .where(eq(ssoConnections.orgId, tx.tenant.orgId))
    .limit(2);
  return first && !second ? first.id : null;
}

/**
 * Creates a connection. The first one is assigned the domains that have none.
 * @throws DomainError 409 beyond fifty
 */
export function createConnection(
  tenant: Tenant,
  given: Pick<ConnectionRow, 'kind' | 'name'>,
  home: string,
): Promise<ConnectionRow> {
  return tenant.transaction(async (tx) => {
    await lockSsoSettings(tx);
    const all = await tx.db.select({ id: ssoConnections.id }).from(ssoConnections);
    if (all.length >= mostConnections) {
      throw new DomainError(
        'conflict',
        'too_many_connections',
        'You have 50 connections. Remove one you don’t use.',
      );
    }
    const id = newId(ssoConnectionId);
    const [row] = await tx.db
      .insert(ssoConnections)
      .values({
        id,
        orgId: tenant.orgId,
        ...given,
        createdBy: actingAccount(tenant),
        createdAt: new Date(),
      })
      .returning();
    if (!row) throw notFound();
    if (all.length === 0) {
      await tx.db
        .update(ssoDomains)
        .set({ connectionId: id })
        .where(and(eq(ssoDomains.orgId, tenant.orgId), isNull(ssoDomains.connectionId)));
    }
    await recordEvent(tx, {
      action: 'SSO_CONNECTION_CREATED',
      entity: 'sso_connection',
      entityId: id,
      metadata: { kind: given.kind },
    });
    await tellAdmins(tx, 'connection', home);
    return row;
  });
}

/**
 * Updates the fields that differ. Another provider ends the sessions that the former one began. The audit event
 * lists the fields, with values only for roles and switches.
 * @throws DomainError 404; 409 if it is switched on while incomplete, or switched off while it is the last
 * connection by which members must sign in
 */
export function updateConnection(
  tenant: Tenant,
  id: SsoConnectionId,
  { enabled, ...given }: ConnectionChange,
  { session, home }: ChangingSso,
): Promise<ConnectionRow> {
  return tenant.transaction(async (tx) => {
    await keepSession(tx, session);
    const [before] = await tx.db
      .select()
      .from(ssoConnections)
      .where(own(tenant, id))
      .for('no key update');
    if (!before) throw notFound();
    if (enabled && !isComplete({ ...before, ...given })) {
      throw new DomainError(
        'conflict',
        'connection_incomplete',
        'Enter what your identity provider gave you, then turn the connection on.',
      );
    }
    const isOn = before.enabledAt !== null;
    const switched = switchedTo(enabled, before, { ...before, ...given }, actingAccount(tenant));
    const fields = changedFields(before, given);
    if (fields.length === 0 && isOn === enabled) return before;
    const [row] = await tx.db
      .update(ssoConnections)
      .set({ ...given, ...switched })
      .where(own(tenant, id))
      .returning();
    if (!row) throw notFound();
    if (isOn && !enabled) await keepRequirementUsable(tx);
    // Answers of the former provider, and requests in flight to it, no longer count.
    if (!enabled || !isSameProvider(before, row)) await forgetFlows(tx, id);
    const role = { from: before.defaultRole, to: row.defaultRole };
    await recordEvent(tx, {
      action: 'SSO_CONNECTION_UPDATED',
      entity: 'sso_connection',
      entityId: id,
      metadata: {
        fields,
        ...(isOn === enabled ? {} : { enabled: { from: isOn, to: enabled } }),
        ...(role.from === role.to ? {} : { defaultRole: role }),
      },
    });
    await tellAdmins(tx, 'connection', home);
    return row;
  });
}

/** Sessions and sign-ins count for as long as `enabledAt` is the same (migration 0037). */
function switchedTo(
  enabled: boolean,
  before: ConnectionRow,
  after: Omit<ConnectionRow, 'enabledAt' | 'enabledBy'>,
  by: AccountId | null,
): Pick<ConnectionRow, 'enabledAt' | 'enabledBy'> {
  if (!enabled) return { enabledAt: null, enabledBy: null };
  if (before.enabledAt !== null && isSameOwner(before, after)) {
    const { enabledAt, enabledBy } = before;
    return { enabledAt, enabledBy };
  }
  return { enabledAt: new Date(), enabledBy: by };
}

/**
 * Returns whether the same party answers for people: the same issuer and client, or the same SAML entity, which
 * keeps at least one certificate while it replaces them.
 */
function isSameOwner(one: Provider, other: Provider): boolean {
  const names = ({ issuer, clientId, entityId }: Provider) => [issuer, clientId, entityId];
  if (!isDeepStrictEqual(names(one), names(other))) return false;
  const known = one.certificates;
  return known.length === 0 || known.some((each) => other.certificates.includes(each));
}
type Provider = Pick<ConnectionRow, 'issuer' | 'clientId' | 'entityId' | 'certificates'>;

async function forgetFlows({ db, tenant }: TenantConnection, id: SsoConnectionId): Promise<void> {
  await db
    .delete(ssoFlows)
    .where(and(eq(ssoFlows.orgId, tenant.orgId), eq(ssoFlows.connectionId, id)));
}

/** Returns whether both rows trust the same provider. */
export const isSameProvider = (one: ConnectionRow, other: ConnectionRow): boolean =>
  JSON.stringify(providerOf(one)) === JSON.stringify(providerOf(other));

const providerOf = ({ issuer, clientId, entityId, ssoUrl, certificates }: ConnectionRow) => [
  issuer,
  clientId,
  entityId,
  ssoUrl,
  certificates,
];

const changedFields = (before: ConnectionRow, given: Omit<ConnectionChange, 'enabled'>): string[] =>
  Object.entries(given)
    .filter(([name, value]) => {
      const old: Record<string, unknown> = before;
      return JSON.stringify(old[name]) !== JSON.stringify(value);
    })
    .map(([name]) => (name === 'clientSecretSealed' ? 'clientSecret' : name));

/** @throws DomainError 404, 409 as `updateConnection` */
export async function removeConnection(
  tenant: Tenant,
  id: SsoConnectionId,
  { session, home }: ChangingSso,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await keepSession(tx, session);
    const gone = await tx.db
      .delete(ssoConnections)
      .where(own(tenant, id))
      .returning({ id: ssoConnections.id });
    if (gone.length === 0) throw notFound();
    await keepRequirementUsable(tx);
    await recordEvent(tx, {
      action: 'SSO_CONNECTION_REMOVED',
      entity: 'sso_connection',
      entityId: id,
    });
    await tellAdmins(tx, 'connection', home);
  });
}

/** Records an assertion as used. @returns false if it was already used */
export async function spendAssertion(
  tenant: Tenant,
  connectionId: SsoConnectionId,
  assertionId: string,
  expiresAt: Date,
): Promise<boolean> {
  const noted = await tenant.connection(({ db }) =>
    db
      .insert(ssoAssertions)
      .values({ orgId: tenant.orgId, connectionId, assertionId, expiresAt })
      .onConflictDoNothing()
      .returning({ id: ssoAssertions.assertionId }),
  );
  return noted.length > 0;
}

const ownerOfConnection: Statement = {
  name: 'sso_organization_of_connection',
  text: 'select sso_organization_of_connection($1) as "orgId"',
};
export async function organizationOfConnection(
  database: Database,
  id: SsoConnectionId,
): Promise<OrgId | null> {
  const [found] = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId | null }>(ownerOfConnection, [id]),
  );
  return found?.orgId ?? null;
}

const own = (tenant: Tenant, id: SsoConnectionId) =>
  and(eq(ssoConnections.orgId, tenant.orgId), eq(ssoConnections.id, id));

export function isComplete(row: ConnectionRow): boolean {
  if (row.kind === 'saml') return Boolean(row.entityId && row.ssoUrl && row.certificates.length);
  return Boolean(row.issuer && row.clientId && row.clientSecretSealed);
}

/** Returns the callback URL for the identity provider, and this server's entity ID there. */
export function addressesOf({ id, kind }: Pick<ConnectionRow, 'id' | 'kind'>, base: string) {
  const path = `${base}/sso/${kind}/${id}`;
  return kind === 'saml'
    ? { answerUrl: `${path}/acs`, ourEntityId: `${path}/metadata` }
    : { answerUrl: `${path}/callback`, ourEntityId: null };
}

export function asConnection(row: ConnectionRow, base: string): SsoConnection {
  const { id, kind, name, allowIdpInitiated, defaultRole, roleClaim, roleRules } = row;
  const { issuer, clientId, entityId, ssoUrl } = row;
  return {
    ...{ id, kind, name, allowIdpInitiated, defaultRole, roleClaim, roleRules },
    ...{ issuer, clientId, entityId, ssoUrl },
    enabled: row.enabledAt !== null,
    complete: isComplete(row),
    hasSecret: row.clientSecretSealed !== null,
    certificates: row.certificates.map(describeCertificate),
    ...addressesOf(row, base),
  };
}
