import type { User } from '#domain/auth/contract.ts';
import { adminRoles, type Role } from '#domain/auth/permissions.ts';
import { DomainError, notFound, roleForbids } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { lockAccount } from '#server/auth/lock-account.ts';
import { rotateSessionsOf } from '#server/auth/rotate-session.ts';
import { endSessionsOf } from '#server/auth/sessions.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { archivePersonalRoom } from '#server/links/personal-room.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, asc, eq, gt } from '#server/platform/drizzle.ts';

const columns = {
  id: accounts.id,
  email: accounts.email,
  firstName: accounts.firstName,
  lastName: accounts.lastName,
  profileImageUrl: accounts.profileImageUrl,
  role: memberships.role,
  orgId: memberships.orgId,
};
/** What members do must not keep an admin from ending their rights. */
const revoking = { overrulesLocks: true };

/** Returns the members in the order of their accounts' creation. */
export function listMembers(tenant: Tenant, page: PageQuery): Promise<User[]> {
  return tenant.connection(({ db }) =>
    db
      .select(columns)
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(
        and(
          eq(memberships.orgId, tenant.orgId),
          page.before ? gt(accounts.id, page.before as AccountId) : undefined,
        ),
      )
      .orderBy(asc(accounts.id))
      .limit(page.limit),
  );
}

/**
 * Changes the role of a member.
 * @throws DomainError 404, 403 for a role that the actor may not give or take, 409 for the last admin
 */
export function changeRole(tenant: Tenant, id: AccountId, role: Role): Promise<User> {
  return tenant.transaction(async (tx) => {
    const member = await lockMember(tx, id);
    refuseBeyond(tenant, role);
    refuseBeyond(tenant, member.role);
    if (member.role === role) return member;
    if (!adminRoles.includes(role)) await keepAnAdmin(tx, member);
    await tx.db
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
    await keepBreakGlass(tx);
    await rotateSessionsOf(tx, id);
    await recordEvent(tx, {
      action: 'ROLE_UPDATED',
      entity: 'account',
      entityId: id,
      metadata: { role: { from: member.role, to: role } },
    });
    return { ...member, role };
  }, revoking);
}

/** Removes a member. The account stays, without an organization. @throws as `changeRole` */
export async function removeMember(tenant: Tenant, id: AccountId): Promise<void> {
  await tenant.transaction(async (tx) => {
    await endMembership(tx, id);
    await recordEvent(tx, { action: 'MEMBER_REMOVED', entity: 'account', entityId: id });
  }, revoking);
}

/** Ends all sessions of a member. @throws DomainError 404, 403 as `changeRole` */
export async function endSessionsOfMember(tenant: Tenant, id: AccountId): Promise<void> {
  await tenant.transaction(async (tx) => {
    const member = await lockMember(tx, id);
    refuseBeyond(tenant, member.role);
    await endSessionsOf(tx, id);
    await recordEvent(tx, { action: 'SESSIONS_REMOVED', entity: 'account', entityId: id });
  }, revoking);
}

/**
 * Ends a membership. The caller records the audit event.
 * @param options set `mayBeLastAdmin` for the only member
 * @throws as `changeRole`
 */
export async function endMembership(
  tx: TenantConnection,
  id: AccountId,
  { mayBeLastAdmin = false } = {},
): Promise<void> {
  const { tenant } = tx;
  const member = await lockMember(tx, id);
  refuseBeyond(tenant, member.role);
  if (!mayBeLastAdmin) await keepAnAdmin(tx, member);
  // Before the sessions, which end with the membership: a member's own changes take the locks in this order.
  await lockAccount(tx, id);
  await archivePersonalRoom(tx, id);
  await tx.db
    .delete(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), eq(memberships.accountId, id)));
  if (!mayBeLastAdmin) await keepBreakGlass(tx);
  // The former organization stores the image, and only its members can load it.
  await tx.db.update(accounts).set({ profileImageUrl: null }).where(eq(accounts.id, id));
}

/**
 * Locks the admins of the organization. Every change of roles takes this lock, so that two of them cannot
 * each remove an admin. So does the creation of invitations and SCIM tokens, which end with the rights of
 * their creator. Waiting transactions proceed in order of arrival; shared locks (`for share`) would let later
 * ones overtake. An acting admin must still be an admin after the wait. What members do to themselves while they
 * hold it is brief (`actsBriefly`): otherwise no admin could remove them.
 * @throws DomainError 403
 */
export async function lockAdmins({ run, tenant }: TenantConnection): Promise<number> {
  const { actor, orgId } = tenant;
  const acting = actor.kind === 'user' && adminRoles.includes(actor.role) ? actor.accountId : null;
  const [found] = await run<{ count: number; isOne: boolean }>(lockAdminsStatement, [
    ...[orgId, adminRoles, acting],
  ]);
  if (acting && !found?.isOne) throw roleForbids();
  return found?.count ?? 0;
}
// An organization may have thousands of them, so they are not read here.
const lockAdminsStatement: Statement = {
  name: 'lock_admins',
  text: `with locked as (
      select account_id from memberships where org_id = $1 and role = any ($2) order by account_id for update
    )
    select count(*)::int as count, coalesce(bool_or(account_id = $3), false) as "isOne" from locked`,
};
const anotherAdmin: Statement = {
  name: 'another_admin',
  text: `select from memberships where org_id = $1 and role = any ($2) and account_id <> $3 limit 1`,
};
/** Whether the organization has an admin beside this member. */
export async function hasOtherAdmin(
  { run, tenant }: TenantConnection,
  member: AccountId,
): Promise<boolean> {
  return (await run(anotherAdmin, [tenant.orgId, adminRoles, member])).length > 0;
}

/** Returns a member, with the roles of all admins locked. @throws DomainError 404 */
export async function lockMember(
  tx: TenantConnection,
  id: AccountId,
): Promise<User & { role: Role }> {
  await lockAdmins(tx);
  const [member] = await tx.db
    .select(columns)
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.orgId, tx.tenant.orgId), eq(memberships.accountId, id)));
  if (!member) throw notFound();
  return member;
}

/** @throws DomainError 409 if this member is the organization's last admin */
export async function keepAnAdmin(tx: TenantConnection, member: { id: AccountId; role: Role }) {
  if (!adminRoles.includes(member.role)) return;
  if (await hasOtherAdmin(tx, member.id)) return;
  throw new DomainError(
    'conflict',
    'last_admin',
    'Your organization needs an admin. Make someone else an admin first.',
  );
}

const anAdmin: Statement = {
  name: 'an_admin_of_organization',
  text: `select 1 from memberships where org_id = $1 and role in ('SUPERADMIN', 'ORGADMIN') limit 1`,
};

/**
 * Returns whether the organization has an admin. Call it after inserting a membership: from then on the last
 * member cannot leave (leave-organization.ts).
 */
export async function hasAnAdmin({ run, tenant }: TenantConnection): Promise<boolean> {
  return (await run(anAdmin, [tenant.orgId])).length > 0;
}

/** Only a SUPERADMIN may give or take the role SUPERADMIN. @throws DomainError 403 */
export function refuseBeyond(tenant: Tenant, role: Role): void {
  const { actor } = tenant;
  const own = actor.kind === 'user' || actor.kind === 'token' ? actor.role : null;
  if (role !== 'SUPERADMIN' || own === 'SUPERADMIN' || actor.kind === 'system') return;
  throw new DomainError('forbidden', 'superadmin_only', 'Only a super admin can assign this role.');
}
