import { isDeepStrictEqual } from 'node:util';
import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { SsoPolicy } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { lockAccounts } from '#server/auth/lock-account.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, asc, eq, inArray } from '#server/platform/drizzle.ts';
import { lockAdmins } from '#server/team/member-store.ts';
import { changingMembers, noteChangedMembers } from '#server/team/member-turns.ts';
import { ssoBreakGlass, ssoPolicies } from './tables.ts';
import { tellAdmins } from './tell-admins.ts';

const unboundMembers: Statement = {
  name: 'members_unbound_by_sso',
  text: `select count(*)::int as members
    from memberships m join accounts a on a.id = m.account_id
    where m.org_id = $1 and split_part(a.email, '@', 2) not in (
      select domain from sso_domains_in_use() where org_id = $1)`,
};

/** Returns how many members have an address for which the organization's providers cannot answer. */
export async function countUnbound({ run, tenant }: TenantConnection): Promise<number> {
  const [found] = await run<{ members: number }>(unboundMembers, [tenant.orgId]);
  return found?.members ?? 0;
}

export async function readPolicy({ db, tenant }: TenantConnection): Promise<SsoPolicy> {
  const [policies, kept] = await Promise.all([
    db.select().from(ssoPolicies).where(eq(ssoPolicies.orgId, tenant.orgId)),
    db
      .select({ id: ssoBreakGlass.accountId })
      .from(ssoBreakGlass)
      .where(eq(ssoBreakGlass.orgId, tenant.orgId))
      .orderBy(asc(ssoBreakGlass.accountId)),
  ]);
  return {
    required: Boolean(policies[0]?.requiredAt),
    breakGlass: kept.map(({ id }) => id),
  };
}

/**
 * Sets who has to sign in by single sign-on. Sessions that began by other methods end, except the requesting
 * one.
 * @throws DomainError 404 for an emergency admin who is not a member; 409 for one that is not an admin
 * with a password, for none while single sign-on is required, and if no one could sign in by single sign-on
 */
export function updatePolicy(
  tenant: Tenant,
  given: SsoPolicy,
  session: { id: string },
  home: string,
): Promise<SsoPolicy> {
  const change = async (tx: TenantConnection) => {
    // Locks the roles first, so that a chosen emergency admin cannot be demoted concurrently.
    await lockAdmins(tx);
    await lockSsoSettings(tx);
    const before = await readPolicy(tx);
    const breakGlass = [...new Set(given.breakGlass)].sort();
    for (const id of breakGlass) {
      if (!before.breakGlass.includes(id)) await refuseUnfit(tx, id);
    }
    await replaceBreakGlass(tx, before.breakGlass, breakGlass);
    const lostBreakGlass = before.breakGlass.filter((id) => !breakGlass.includes(id));
    const requiredAt = given.required ? new Date() : null;
    if (before.required !== given.required) {
      const requiredBy = given.required ? actingAccount(tenant) : null;
      await tx.db
        .update(ssoPolicies)
        .set({ requiredAt, requiredBy })
        .where(eq(ssoPolicies.orgId, tenant.orgId));
      await recordEvent(tx, {
        action: 'SSO_POLICY_UPDATED',
        entity: 'organization',
        entityId: tenant.orgId,
        metadata: { required: { from: before.required, to: given.required } },
      });
    }
    if (given.required) {
      await keepRequirementUsable(tx);
      await endOtherSessions(
        tx,
        session,
        before.required ? lostBreakGlass : await boundMembers(tx),
      );
    }
    const after = { required: given.required, breakGlass };
    if (!isDeepStrictEqual(before, after)) await tellAdmins(tx, 'policy', home);
    return after;
  };
  return changingMembers(tenant, () => tenant.transaction(change));
}

/**
 * Locks the organization's single sign-on settings until the transaction ends, so that limits are counted
 * correctly.
 */
export async function lockSsoSettings({ db, tenant }: TenantConnection): Promise<void> {
  await db.insert(ssoPolicies).values({ orgId: tenant.orgId }).onConflictDoNothing();
  await db.select().from(ssoPolicies).where(eq(ssoPolicies.orgId, tenant.orgId)).for('update');
}

async function refuseUnfit({ db, tenant }: TenantConnection, id: AccountId): Promise<void> {
  const [member] = await db
    .select({ role: memberships.role, password: accounts.passwordHash })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
  if (!member) throw notFound();
  if (member.role === 'ORGADMIN' && member.password !== null) return;
  throw new DomainError(
    'conflict',
    'break_glass_unfit',
    'An emergency admin needs the Admin role and a password.',
  );
}

async function replaceBreakGlass(
  tx: TenantConnection,
  before: AccountId[],
  after: AccountId[],
): Promise<void> {
  const { orgId } = tx.tenant;
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  const createdBy = actingAccount(tx.tenant);
  for (const accountId of added) {
    await tx.db
      .insert(ssoBreakGlass)
      .values({ orgId, accountId, createdBy, createdAt: new Date() });
    await recordEvent(tx, { action: 'BREAK_GLASS_ADDED', entity: 'account', entityId: accountId });
  }
  for (const accountId of removed) {
    await tx.db
      .delete(ssoBreakGlass)
      .where(and(eq(ssoBreakGlass.orgId, orgId), eq(ssoBreakGlass.accountId, accountId)));
    await recordEvent(tx, {
      action: 'BREAK_GLASS_REMOVED',
      entity: 'account',
      entityId: accountId,
    });
  }
}

const usableDomain: Statement = {
  name: 'usable_sso_domain',
  text: 'select 1 from sso_domains_in_use() where org_id = $1 limit 1',
};

/**
 * Ensures that an organization which requires single sign-on keeps an admin who can sign in without it, and a
 * connection by which the others can sign in. Call it after a change, within its transaction.
 * @throws DomainError 409, which rolls the change back
 */
export async function keepRequirementUsable(tx: TenantConnection): Promise<void> {
  if (!(await keepBreakGlass(tx))) return;
  const usable = await tx.run(usableDomain, [tx.tenant.orgId]);
  if (usable.length > 0) return;
  throw new DomainError(
    'conflict',
    'sso_not_usable',
    'To require single sign-on, turn on a connection that has a verified domain.',
  );
}

const endSessions: Statement = {
  name: 'end_sessions_without_sso',
  text: `delete from sessions where sso_org_id is null and account_id = any ($1::uuid[])
    and sso_required_of(account_id) and kept_without_sso_in is distinct from $2`,
};
const keepSession: Statement = {
  name: 'keep_session_without_sso',
  text: `update sessions set kept_without_sso_in = case when id = $2 then $3::uuid end
    where account_id = any ($1::uuid[])`,
};
async function endOtherSessions(
  { run, tenant }: TenantConnection,
  session: { id: string },
  members: readonly AccountId[],
): Promise<void> {
  if (members.length === 0) return;
  noteChangedMembers(tenant.orgId, members.length);
  await lockAccounts({ run }, members);
  await run(keepSession, [members, session.id, tenant.orgId]);
  await run(endSessions, [members, tenant.orgId]);
}

async function boundMembers({ db, tenant }: TenantConnection): Promise<AccountId[]> {
  const members = await db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), inArray(memberships.role, bound)));
  return members.map(({ id }) => id);
}
const bound = ['ORGADMIN', 'AGENT', 'VIEWER'] as const;
