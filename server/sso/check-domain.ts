import { DomainError, notFound } from '#domain/errors.ts';
import type { SsoDomainId } from '#domain/ids.ts';
import type { SsoDomain } from '#domain/sso/contract.ts';
import { recordNameOf, recordTextOf } from '#domain/sso/rules.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { keepSession } from '#server/auth/keep-session.ts';
import { mailOtherAdmins } from '#server/auth/mail-other-admins.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import type { TxtRecords } from '#server/platform/outside.ts';
import { onlyConnection } from './connection-store.ts';
import { type DomainNews, domainCheckEmail } from './domain-check-email.ts';
import { asDomain, type DomainRow, endOf, ownDomain } from './domain-store.ts';
import { ssoDomains } from './tables.ts';
import { type ChangingSso, tellAdmins } from './tell-admins.ts';

/** Without a session, the job checks. */
type Checking = Omit<ChangingSso, 'session'> & { session: ChangingSso['session'] | null };

/**
 * Checks the DNS record of a claimed domain. If the record has been missing for a week, the domain loses its
 * verification. The admins are mailed when it is verified, goes missing, and loses the verification.
 * @throws DomainError 404; 409 if another organization has verified the domain
 */
export async function checkDomain(
  tenant: Tenant,
  id: SsoDomainId,
  txtRecords: TxtRecords,
  by: Checking,
): Promise<SsoDomain> {
  const [claimed] = await tenant.connection(({ db }) =>
    db.select().from(ssoDomains).where(ownDomain(tenant, id)),
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
      'Another organization has already verified this domain.',
    );
  }
}

async function noteCheck(
  tx: TenantConnection,
  id: SsoDomainId,
  isThere: boolean,
  { session, home }: Checking,
): Promise<SsoDomain> {
  if (session) await keepSession(tx, session);
  const mine = ownDomain(tx.tenant, id);
  const [before] = await tx.db.select().from(ssoDomains).where(mine).for('update');
  if (!before) throw notFound();
  const now = new Date();
  const standing = { checkedAt: now, ...standingAfter(before, isThere, now) };
  const connectionId = before.connectionId ?? (await onlyConnection(tx));
  const after = { ...before, ...standing, connectionId };
  await tx.db
    .update(ssoDomains)
    .set({ ...standing, connectionId })
    .where(mine);
  const news = newsOf(before, after);
  if (news || session) {
    const action = news ? actions[news] : 'SSO_DOMAIN_CHECKED';
    await recordEvent(tx, { action, entity: 'sso_domain', entityId: id });
  }
  if (news && session && news !== 'missing') await tellAdmins(tx, 'domain', home);
  else if (news) {
    const about = { domain: before.domain, endsAt: endOf(after) };
    await mailOtherAdmins(tx, 'domainCheck', (language) =>
      domainCheckEmail(language, news, about, home),
    );
  }
  return asDomain(after);
}

type Standing = Pick<DomainRow, 'verifiedAt' | 'missingSince'>;

function standingAfter(
  { verifiedAt, missingSince }: Standing,
  isThere: boolean,
  now: Date,
): Standing {
  if (isThere) return { verifiedAt: verifiedAt ?? now, missingSince: null };
  if (!verifiedAt) return { verifiedAt: null, missingSince: null };
  const since = missingSince ?? now;
  const end = endOf({ missingSince: since });
  const isOver = end !== null && now > end;
  return isOver ? { verifiedAt: null, missingSince: null } : { verifiedAt, missingSince: since };
}

function newsOf(before: Standing, after: Standing): DomainNews | null {
  if (after.verifiedAt && !before.verifiedAt) return 'verified';
  if (before.verifiedAt && !after.verifiedAt) return 'lost';
  return after.missingSince && !before.missingSince ? 'missing' : null;
}

const actions = {
  verified: 'SSO_DOMAIN_VERIFIED',
  missing: 'SSO_DOMAIN_RECORD_MISSING',
  lost: 'SSO_DOMAIN_LOST',
} as const satisfies Record<DomainNews, string>;
