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
import type { TxtRecords } from '#server/platform/outside.ts';
import { onlyConnection } from './connection-store.ts';
import { keepRequirementUsable, lockSsoSettings } from './policy-store.ts';
import { ssoConnections, ssoDomains } from './tables.ts';
import { type ChangingSso, tellAdmins } from './tell-admins.ts';

type Row = typeof ssoDomains.$inferSelect;
/** Leaves time to restore a record that was removed by mistake before members are locked out. */
const graceDays = 7;
const mostDomains = 100;

export async function listDomains(tenant: Tenant): Promise<SsoDomain[]> {
  const rows = await tenant.connection(({ db }) =>
    db
      .select()
      .from(ssoDomains)
      .where(eq(ssoDomains.orgId, tenant.orgId))
      .orderBy(asc(ssoDomains.domain))
      .limit(mostDomains),
  );
  return rows.map(asDomain);
}

/** @throws DomainError 400 for a free-mail domain, 409 for one that is claimed already */
export async function claimDomain(tenant: Tenant, domain: string): Promise<SsoDomain> {
  if (isFreeMail(domain)) {
    throw invalid(
      'free_mail_domain',
      'Anybody can have an address there. Claim a domain of your own.',
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
          'You have claimed 100 domains. Remove one that you do not use.',
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
    throw new DomainError('conflict', 'domain_claimed', 'You have claimed this domain already.');
  }
}

/**
 * Checks the DNS record of a claimed domain. If the record has been missing for a week, the domain loses its
 * verification.
 * @param by null for the job, which sends no mail
 * @throws DomainError 404; 409 if another organization has verified the domain
 */
export async function checkDomain(
  tenant: Tenant,
  id: SsoDomainId,
  txtRecords: TxtRecords,
  by: ChangingSso | null,
): Promise<SsoDomain> {
  const [claimed] = await tenant.connection(({ db }) =>
    db.select().from(ssoDomains).where(own(tenant, id)),
  );
  if (!claimed) throw notFound();
  const records = await txtRecords(recordNameOf(claimed.domain));
  // If the name servers do not answer, the verification stays as it is.
  if (records === null) return asDomain(claimed);
  const isThere = records.includes(recordTextOf(claimed.token));
  try {
    return await tenant.transaction((tx) => noteCheck(tx, id, isThere, by));
  } catch (error) {
    if (!isUniqueViolation(error, 'sso_domains_one_owner')) throw error;
    throw new DomainError(
      'conflict',
      'domain_taken',
      'Another organization has proved that this domain is its own.',
    );
  }
}

async function noteCheck(
  tx: TenantConnection,
  id: SsoDomainId,
  isThere: boolean,
  by: ChangingSso | null,
) {
  if (by) await keepSession(tx, by.session);
  const mine = own(tx.tenant, id);
  const [before] = await tx.db.select().from(ssoDomains).where(mine).for('update');
  if (!before) throw notFound();
  const now = new Date();
  const standing = { checkedAt: now, ...standingAfter(before, isThere, now) };
  const connectionId = before.connectionId ?? (await onlyConnection(tx));
  const after = { ...before, ...standing, connectionId };
  const { verifiedAt } = after;
  await tx.db
    .update(ssoDomains)
    .set({ ...standing, connectionId })
    .where(mine);
  const isSame = Boolean(before.verifiedAt) === Boolean(verifiedAt);
  const changed = verifiedAt ? 'SSO_DOMAIN_VERIFIED' : 'SSO_DOMAIN_LOST';
  const action = isSame ? 'SSO_DOMAIN_CHECKED' : changed;
  if (!isSame || tx.tenant.actor.kind === 'user') {
    await recordEvent(tx, { action, entity: 'sso_domain', entityId: id });
  }
  if (!isSame && by) await tellAdmins(tx, 'domain', by.home);
  return asDomain(after);
}

function standingAfter(
  { verifiedAt, missingSince }: Row,
  isThere: boolean,
  now: Date,
): Pick<Row, 'verifiedAt' | 'missingSince'> {
  if (isThere) return { verifiedAt: verifiedAt ?? now, missingSince: null };
  if (!verifiedAt) return { verifiedAt: null, missingSince: null };
  const since = missingSince ?? now;
  const isOver = now.getTime() - since.getTime() > graceDays * 86_400_000;
  return isOver ? { verifiedAt: null, missingSince: null } : { verifiedAt, missingSince: since };
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
      .where(own(tenant, id))
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
      .where(own(tenant, id))
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

const own = (tenant: Tenant, id: SsoDomainId) =>
  and(eq(ssoDomains.orgId, tenant.orgId), eq(ssoDomains.id, id));

const asDomain = ({ id, domain, token, verifiedAt, checkedAt, connectionId }: Row): SsoDomain => ({
  id,
  domain,
  recordName: recordNameOf(domain),
  recordText: recordTextOf(token),
  verifiedAt: verifiedAt?.toISOString() ?? null,
  checkedAt: checkedAt?.toISOString() ?? null,
  connectionId,
});
