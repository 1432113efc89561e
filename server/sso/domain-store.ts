import { randomBytes } from 'node:crypto';
import { DomainError, invalid, notFound } from '#domain/errors.ts';
import { type OrgId, type SsoConnectionId, type SsoDomainId, ssoDomainId } from '#domain/ids.ts';
import type { SsoDomain } from '#domain/sso/contract.ts';
import { isFreeMail } from '#domain/sso/free-mail.ts';
import { recordNameOf, recordTextOf } from '#domain/sso/rules.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepSession } from '#server/auth/keep-session.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, asc, eq, isNotNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { keepRequirementUsable, lockSsoSettings } from './policy-store.ts';
import { ssoConnections, ssoDomains } from './tables.ts';
import { type ChangingSso, tellAdmins } from './tell-admins.ts';

export type DomainRow = typeof ssoDomains.$inferSelect;
/** Leaves time to restore a record that was removed by mistake before members are locked out. */
const graceMs = 7 * 86_400_000;
const mostDomains = 100;

export async function listDomains({ db, tenant }: TenantConnection): Promise<SsoDomain[]> {
  const rows = await db
    .select()
    .from(ssoDomains)
    .where(eq(ssoDomains.orgId, tenant.orgId))
    .orderBy(asc(ssoDomains.domain))
    .limit(mostDomains);
  return rows.map(asDomain);
}

/** @throws DomainError 400 for a free-mail domain, 409 for one that is claimed already */
export async function claimDomain(tenant: Tenant, domain: string): Promise<SsoDomain> {
  if (isFreeMail(domain)) {
    throw invalid(
      'free_mail_domain',
      'Anyone can have an address at this domain. Add your own domain.',
      'domain',
    );
  }
  const id = newId(ssoDomainId);
  const token = randomBytes(16).toString('base64url');
  try {
    return await tenant.transaction(async (tx) => {
      await lockSsoSettings(tx);
      const all = await tx.db.select({ id: ssoDomains.id }).from(ssoDomains);
      if (all.length >= mostDomains) {
        throw new DomainError(
          'conflict',
          'too_many_domains',
          'You have 100 domains. Remove one you don’t use.',
        );
      }
      const values = { id, orgId: tenant.orgId, domain, token, createdAt: new Date() };
      const [row] = await tx.db
        .insert(ssoDomains)
        .values({ ...values, createdBy: actingAccount(tenant) })
        .returning();
      if (!row) throw notFound();
      await recordEvent(tx, { action: 'SSO_DOMAIN_CLAIMED', entity: 'sso_domain', entityId: id });
      return asDomain(row);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'sso_domains_once')) throw error;
    throw new DomainError('conflict', 'domain_claimed', 'You’ve already added this domain.');
  }
}

/**
 * Assigns a domain to the connection that authenticates its addresses, or to none.
 * @throws DomainError 404, also for a connection of another organization; 409 for the last usable domain of
 * an organization that requires single sign-on
 */
export function assignDomain(
  tenant: Tenant,
  id: SsoDomainId,
  connectionId: SsoConnectionId | null,
  { session, home }: ChangingSso,
): Promise<SsoDomain> {
  return tenant.transaction(async (tx) => {
    await keepSession(tx, session);
    if (connectionId !== null) {
      const [ours] = await tx.db
        .select({ id: ssoConnections.id })
        .from(ssoConnections)
        .where(and(eq(ssoConnections.orgId, tenant.orgId), eq(ssoConnections.id, connectionId)))
        .for('no key update');
      if (!ours) throw notFound();
    }
    const [row] = await tx.db
      .update(ssoDomains)
      .set({ connectionId })
      .where(ownDomain(tenant, id))
      .returning();
    if (!row) throw notFound();
    await keepRequirementUsable(tx);
    await recordEvent(tx, {
      action: 'SSO_DOMAIN_ASSIGNED',
      entity: 'sso_domain',
      entityId: id,
      metadata: { connectionId },
    });
    await tellAdmins(tx, 'domain', home);
    return asDomain(row);
  });
}

/** @throws DomainError 404; 409 for the last domain of an organization that requires single sign-on */
export async function removeDomain(
  tenant: Tenant,
  id: SsoDomainId,
  { session, home }: ChangingSso,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await keepSession(tx, session);
    const gone = await tx.db
      .delete(ssoDomains)
      .where(ownDomain(tenant, id))
      .returning({ id: ssoDomains.id });
    if (gone.length === 0) throw notFound();
    await keepRequirementUsable(tx);
    await recordEvent(tx, { action: 'SSO_DOMAIN_REMOVED', entity: 'sso_domain', entityId: id });
    await tellAdmins(tx, 'domain', home);
  });
}

/** Returns whether the organization has verified this domain. */
export async function hasVerified(tx: TenantConnection, domain: string): Promise<boolean> {
  const found = await tx.db
    .select({ id: ssoDomains.id })
    .from(ssoDomains)
    .where(
      and(
        eq(ssoDomains.orgId, tx.tenant.orgId),
        eq(ssoDomains.domain, domain),
        isNotNull(ssoDomains.verifiedAt),
      ),
    );
  return found.length > 0;
}

/** Returns the connection of a verified domain of the organization; null if there is none. */
export async function connectionOfDomain(
  tx: TenantConnection,
  domain: string,
): Promise<SsoConnectionId | null> {
  const [found] = await tx.db
    .select({ id: ssoDomains.connectionId })
    .from(ssoDomains)
    .where(
      and(
        eq(ssoDomains.orgId, tx.tenant.orgId),
        eq(ssoDomains.domain, domain),
        isNotNull(ssoDomains.verifiedAt),
      ),
    );
  return found?.id ?? null;
}

const toCheck: Statement = {
  name: 'sso_domains_to_check',
  text: 'select org_id as "orgId", id from sso_domains_to_check()',
};
export const domainsToCheck = (database: Database) =>
  database.connection('outside', ({ run }) => run<{ orgId: OrgId; id: SsoDomainId }>(toCheck, []));

export const ownDomain = (tenant: Tenant, id: SsoDomainId) =>
  and(eq(ssoDomains.orgId, tenant.orgId), eq(ssoDomains.id, id));

/** Returns when a verification ends if the record stays missing; null while it is there. */
export const endOf = ({ missingSince }: Pick<DomainRow, 'missingSince'>): Date | null =>
  missingSince && new Date(missingSince.getTime() + graceMs);

export const asDomain = (row: DomainRow): SsoDomain => ({
  id: row.id,
  domain: row.domain,
  recordName: recordNameOf(row.domain),
  recordText: recordTextOf(row.token),
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  endsAt: endOf(row)?.toISOString() ?? null,
  connectionId: row.connectionId,
});
