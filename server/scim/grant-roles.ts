import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import {
  type DefaultRole,
  decideRole,
  firstDefaultRole,
  type GroupRole,
} from '#domain/scim/roles.ts';
import { recordEvents } from '#server/audit/record-event.ts';
import { keepBreakGlass } from '#server/auth/sso-requirement.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { lockAdmins } from '#server/team/member-store.ts';
import { noteChangedMembers } from '#server/team/member-turns.ts';

interface Standing {
  account_id: AccountId;
  role: Role;
  role_from_groups: GroupRole | null;
  mapped: GroupRole | null;
}
// The longest-standing admin comes first, and stays if all of them would be demoted.
const standings: Statement = {
  name: 'scim_standings',
  text: `select s.account_id, m.role, s.role_from_groups, (
      select g.role from scim_group_members gm
      join scim_groups g on g.org_id = gm.org_id and g.id = gm.group_id
      where gm.org_id = s.org_id and gm.account_id = s.account_id and g.role is not null
      order by array_position(array['ORGADMIN', 'AGENT', 'VIEWER'], g.role) limit 1
    ) as mapped
    from scim_users s
    join memberships m on m.org_id = s.org_id and m.account_id = s.account_id
    where s.org_id = $1 and s.account_id = any ($2::uuid[])
    order by m.created_at, s.account_id`,
};
const setRoles: Statement = {
  name: 'scim_set_roles',
  text: `update memberships m set role = given.role
    from unnest($2::uuid[], $3::text[]) as given (id, role)
    where m.org_id = $1 and m.account_id = given.id`,
};
const rememberGroups: Statement = {
  name: 'scim_remember_role_from_groups',
  text: `update scim_users s set role_from_groups = given.role
    from unnest($2::uuid[], $3::text[]) as given (id, role)
    where s.org_id = $1 and s.account_id = given.id`,
};
const defaultRole: Statement = {
  name: 'scim_default_role',
  text: 'select default_role as role from scim_settings where org_id = $1',
};

export async function readDefaultRole(at: TenantConnection): Promise<DefaultRole> {
  const [found] = await at.run<{ role: DefaultRole }>(defaultRole, [at.tenant.orgId]);
  return found?.role ?? firstDefaultRole;
}

/**
 * Sets the role of these members to the highest one of their mapped groups. The last admin keeps the role,
 * with an audit event.
 * @throws DomainError 409 if single sign-on would have no emergency admin left
 */
export async function grantRoles(tx: TenantConnection, ids: AccountId[]): Promise<void> {
  if (ids.length === 0) return;
  const { orgId } = tx.tenant;
  const before = await lockAdmins(tx);
  noteChangedMembers(orgId, ids.length);
  const [people, fallback] = await Promise.all([
    tx.run<Standing>(standings, [orgId, ids]),
    readDefaultRole(tx),
  ]);
  const wanted = people.map((person) => {
    const now = { role: person.role, fromGroups: person.role_from_groups };
    return { ...person, to: decideRole(now, person.mapped, fallback) };
  });
  const promoted = wanted.filter(({ role, to }) => isAdmin(to) && !isAdmin(role));
  const demoted = wanted.filter(({ role, to }) => isAdmin(role) && !isAdmin(to));
  const kept = demoted.length === before + promoted.length ? demoted[0] : undefined;
  const changed = wanted.filter((each) => each !== kept && each.to !== each.role);
  await tx.run(setRoles, [
    orgId,
    changed.map((each) => each.account_id),
    changed.map((each) => each.to),
  ]);
  if (changed.length > 0) await keepBreakGlass(tx);
  await tx.run(rememberGroups, [
    orgId,
    people.map((each) => each.account_id),
    people.map(
      (each) =>
        each.mapped ?? (each.account_id === kept?.account_id ? each.role_from_groups : null),
    ),
  ]);
  await recordEvents(tx, [
    ...changed.map(({ account_id, role, to }) => ({
      action: 'ROLE_UPDATED' as const,
      entity: 'account' as const,
      entityId: account_id,
      metadata: { role: { from: role, to }, reason: 'group' },
    })),
    ...(kept
      ? [
          {
            action: 'ROLE_KEPT' as const,
            entity: 'account' as const,
            entityId: kept.account_id,
            metadata: { role: kept.role, reason: 'last_admin' },
          },
        ]
      : []),
  ]);
}

const isAdmin = (role: Role) => role === 'ORGADMIN' || role === 'SUPERADMIN';
