import { type AccountId, type ScimGroupId, scimGroupId } from '#domain/ids.ts';
import { badValue, ScimError, unknownResource } from '#domain/scim/error.ts';
import type { GroupValues } from '#domain/scim/group-values.ts';
import { type MemberStep, mergeSteps } from '#domain/scim/member-steps.ts';
import type { GroupRole } from '#domain/scim/roles.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { lockAdmins } from '#server/team/member-store.ts';
import { changingMembers, noteChangedMembers } from '#server/team/member-turns.ts';
import { grantRoles } from './grant-roles.ts';
import { refuseStale } from './preconditions.ts';

const insertGroup: Statement = {
  name: 'scim_insert_group',
  text: 'insert into scim_groups (id, org_id, display_name, external_id) values ($1, $2, $3, $4)',
};
const lockGroup: Statement = {
  name: 'scim_lock_group',
  text: `select display_name as "displayName", external_id as "externalId", version, role
    from scim_groups where org_id = $1 and id = $2 for update`,
};
const updateGroup: Statement = {
  name: 'scim_update_group',
  text: `update scim_groups set display_name = $3, external_id = $4, version = version + 1,
      updated_at = now() where org_id = $1 and id = $2`,
};
const removeGroup: Statement = {
  name: 'scim_remove_group',
  text: 'delete from scim_groups where org_id = $1 and id = $2',
};
const addMembers: Statement = {
  name: 'scim_add_members',
  text: `insert into scim_group_members (org_id, group_id, account_id)
    select $1, $2, id from unnest($3::uuid[]) as given (id) on conflict do nothing
    returning account_id as id`,
};
const removeMembers: Statement = {
  name: 'scim_remove_members',
  text: `delete from scim_group_members where org_id = $1 and group_id = $2
    and account_id = any ($3::uuid[]) returning account_id as id`,
};
const keepMembers: Statement = {
  name: 'scim_keep_members',
  text: `delete from scim_group_members where org_id = $1 and group_id = $2
    and not account_id = any ($3::uuid[]) returning account_id as id`,
};
/** A user resource lists the user's groups, so its version changes with them. */
const touchUsers: Statement = {
  name: 'scim_touch_users',
  text: `update scim_users set version = version + 1, updated_at = now(),
      provisioned_at = coalesce(provisioned_at, now())
    where org_id = $1 and account_id = any ($2::uuid[])`,
};
const mapGroup: Statement = {
  name: 'scim_map_group',
  text: `update scim_groups set role = $3, role_set_by = $4, role_set_at = now()
    where org_id = $1 and id = $2`,
};

export interface LockedGroup extends GroupValues {
  version: number;
  role: GroupRole | null;
}

/** @throws ScimError 409 for a name that is taken, 400 for a member outside of the organization */
export async function createGroup(
  tenant: Tenant,
  given: GroupValues & { members: AccountId[] },
): Promise<ScimGroupId> {
  const id = newId(scimGroupId);
  const { displayName, externalId, members } = given;
  await writing(tenant, async (tx) => {
    await lockAdmins(tx);
    await tx.run(insertGroup, [id, tenant.orgId, displayName, externalId]);
    const { added } = await takeSteps(tx, id, [{ kind: 'add', ids: members }]);
    await recordEvent(tx, {
      action: 'GROUP_PROVISIONED',
      entity: 'scim_group',
      entityId: id,
      metadata: { added: added.length },
    });
  });
  return id;
}

/**
 * Changes a group. `next` returns the new values from the stored ones.
 * @throws ScimError 400, 404, 409, 412
 */
export function changeGroup(
  tenant: Tenant,
  id: ScimGroupId,
  ifMatch: string | undefined,
  next: (before: GroupValues) => GroupValues & { steps: MemberStep[] },
): Promise<void> {
  return writing(tenant, async (tx) => {
    await lockAdmins(tx);
    const before = await takeGroup(tx, id);
    refuseStale(before, ifMatch);
    const { displayName, externalId, steps } = next({
      displayName: before.displayName,
      externalId: before.externalId,
    });
    const { added, removed } = await takeSteps(tx, id, steps);
    const fields = [
      ...(displayName === before.displayName ? [] : ['displayName']),
      ...(externalId === before.externalId ? [] : ['externalId']),
      ...(added.length + removed.length > 0 ? ['members'] : []),
    ];
    if (fields.length === 0) return;
    await tx.run(updateGroup, [tenant.orgId, id, displayName, externalId]);
    await recordEvent(tx, {
      action: 'GROUP_UPDATED',
      entity: 'scim_group',
      entityId: id,
      metadata: { fields, added: added.length, removed: removed.length },
    });
    if (before.role) await grantRoles(tx, [...added, ...removed]);
  });
}

/** @throws ScimError 404, 412 */
export function deleteGroup(
  tenant: Tenant,
  id: ScimGroupId,
  ifMatch: string | undefined,
): Promise<void> {
  return writing(tenant, async (tx) => {
    await lockAdmins(tx);
    const before = await takeGroup(tx, id);
    refuseStale(before, ifMatch);
    const { removed } = await takeSteps(tx, id, [{ kind: 'replace', ids: [] }]);
    await tx.run(removeGroup, [tenant.orgId, id]);
    await recordEvent(tx, { action: 'GROUP_DEPROVISIONED', entity: 'scim_group', entityId: id });
    if (before.role) await grantRoles(tx, removed);
  });
}

const membersOf: Statement = {
  name: 'scim_members_of_group',
  text: `select account_id as id from scim_group_members where org_id = $1 and group_id = $2`,
};

/** Sets the role of a group's members. @throws ScimError 404 */
export function mapGroupToRole(
  tenant: Tenant,
  id: ScimGroupId,
  role: GroupRole | null,
): Promise<void> {
  // The change may end the acting admin's own role.
  const change = async (tx: TenantConnection) => {
    const before = await takeGroup(tx, id);
    if (before.role === role) return;
    await tx.run(mapGroup, [tenant.orgId, id, role, actingAccount(tenant)]);
    await recordEvent(tx, {
      action: 'GROUP_ROLE_UPDATED',
      entity: 'scim_group',
      entityId: id,
      metadata: { role: { from: before.role, to: role } },
    });
    const people = await tx.run<{ id: AccountId }>(membersOf, [tenant.orgId, id]);
    await grantRoles(
      tx,
      people.map((each) => each.id),
    );
  };
  return changingMembers(tenant, () => tenant.transactionEndingOwn('role', lockAdmins, change));
}

async function takeGroup(tx: TenantConnection, id: ScimGroupId): Promise<LockedGroup> {
  const [found] = await tx.run<LockedGroup & Record<string, unknown>>(lockGroup, [
    tx.tenant.orgId,
    id,
  ]);
  if (!found) throw unknownResource();
  return found;
}

/** Returns the members who were added and removed, after all steps. */
async function takeSteps(tx: TenantConnection, group: ScimGroupId, steps: MemberStep[]) {
  const { orgId } = tx.tenant;
  const ask = async (statement: Statement, ids: AccountId[]) =>
    (await tx.run<{ id: AccountId }>(statement, [orgId, group, ids])).map(({ id }) => id);
  const added = new Set<AccountId>();
  const removed = new Set<AccountId>();
  for (const { kind, ids } of mergeSteps(steps)) {
    const gone =
      kind === 'add' ? [] : await ask(kind === 'remove' ? removeMembers : keepMembers, ids);
    const come = kind === 'remove' ? [] : await ask(addMembers, ids);
    for (const id of gone) if (!added.delete(id)) removed.add(id);
    for (const id of come) if (!removed.delete(id)) added.add(id);
  }
  const people = [...added, ...removed];
  if (people.length > 0) await tx.run(touchUsers, [orgId, people]);
  noteChangedMembers(orgId, people.length);
  return { added: [...added], removed: [...removed] };
}

async function writing<T>(tenant: Tenant, work: (tx: TenantConnection) => Promise<T>): Promise<T> {
  try {
    return await changingMembers(tenant, () => tenant.transaction(work));
  } catch (error) {
    if (isUniqueViolation(error, 'scim_groups_display_name')) {
      throw new ScimError(409, 'Another group has this displayName.', 'uniqueness');
    }
    if (isForeignKeyViolation(error, 'scim_group_members_user')) {
      throw badValue('A member is no user of this organization.');
    }
    throw error;
  }
}
