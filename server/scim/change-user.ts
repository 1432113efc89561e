import type { AccountId } from '#domain/ids.ts';
import { coerceResource } from '#domain/scim/coerce.ts';
import { type JsonObject, sameJson } from '#domain/scim/json.ts';
import { firstDefaultRole, returningRole } from '#domain/scim/roles.ts';
import { userType } from '#domain/scim/user-schema.ts';
import { boundAttributes, readUserValues, type UserValues } from '#domain/scim/user-values.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { takeIn } from '#server/sso/take-in.ts';
import { endMembership, lockAdmins } from '#server/team/member-store.ts';
import { addMembership, asTaken, taken } from './create-user.ts';
import type { Asked } from './directory-request.ts';
import { grantRoles } from './grant-roles.ts';
import { mayMove, moveAddress } from './move-address.ts';
import { refuseStale } from './preconditions.ts';
import { keepOwnDomain } from './require-own-domain.ts';
import { type LockedUser, lockUser, readUser, storedUser, type UserRow } from './user-store.ts';

/** What members do must not keep their directory from ending their rights. */
const deactivating = { overrulesLocks: true };

type Locked = LockedUser & { shown: UserRow };

const updateUser: Statement = {
  name: 'scim_update_user',
  text: `update scim_users set user_name = $3, external_id = $4, attributes = $5,
      provisioned_at = coalesce(provisioned_at, now()), version = version + 1, updated_at = now()
    where org_id = $1 and account_id = $2`,
};
const markProvisioned: Statement = {
  name: 'scim_mark_provisioned',
  text: `update scim_users set provisioned_at = coalesce(provisioned_at, now())
    where org_id = $1 and account_id = $2`,
};
const renameAccount: Statement = {
  name: 'scim_rename_account',
  text: 'update accounts set first_name = $2, last_name = $3 where id = $1',
};
const membershipElsewhere: Statement = {
  name: 'scim_membership_elsewhere',
  text: 'select 1 from find_membership($1)',
};
/**
 * A reactivated account may belong to another person by now, so it no longer counts as created by the
 * directory.
 */
const leaveAccount: Statement = {
  name: 'scim_leave_account',
  text: 'update scim_users set account_made_at = null where org_id = $1 and account_id = $2',
};
const removeUser: Statement = {
  name: 'scim_remove_user',
  text: 'delete from scim_users where org_id = $1 and account_id = $2',
};

/**
 * Changes a user. `next` returns the whole resource from the stored one.
 * @throws ScimError 400, 403 for an address of a domain that the organization does not own, 404, 409, 412;
 * DomainError 403 for a super admin, 409 for the last admin
 */
export async function changeUser(
  { tenant, home }: Pick<Asked, 'tenant' | 'home'>,
  id: AccountId,
  ifMatch: string | undefined,
  next: (stored: JsonObject) => JsonObject,
): Promise<UserRow> {
  try {
    return await tenant.transaction(async (tx) => {
      // Taken first, as in every change of roles, to avoid deadlocks.
      await lockAdmins(tx);
      const locked = await lockUser(tx, id);
      refuseStale(locked.shown, ifMatch);
      const before = storedUser(locked.shown);
      const values = readUserValues(coerceResource(userType, next(before)));
      const fields = await storeFields(tx, locked, { before, values, home });
      await follow(tx, locked, values, { fields, home });
      return readUser(tx, id);
    }, deactivating);
  } catch (error) {
    throw asTaken(error);
  }
}

/** Stores the fields that differ, and applies them to a member's account. Returns the field names. */
async function storeFields(
  tx: TenantConnection,
  locked: Locked,
  { before, values, home }: { before: JsonObject; values: UserValues; home: string },
): Promise<string[]> {
  const { id } = locked.shown;
  const { userName, externalId, attributes } = values;
  const after: JsonObject = {
    userName,
    ...(externalId === null ? {} : { externalId }),
    ...attributes,
  };
  const { active: _, ...stored } = before;
  const names = [...new Set([...Object.keys(stored), ...Object.keys(after)])];
  const fields = names.filter((name) => !sameJson(stored[name], after[name]));
  // Activation and deactivation change no field, so earlier stored values must not make them fail.
  if (fields.length === 0) return [];
  boundAttributes(attributes);
  await tx.run(updateUser, [tx.tenant.orgId, id, userName, externalId, attributes]);
  const isMember = locked.role !== null;
  const old = readUserValues({ ...before });
  const isRenamed = old.firstName !== values.firstName || old.lastName !== values.lastName;
  const isMoved = isMember && old.email !== values.email && locked.email !== values.email;
  const isFollowed = isMoved && mayMove(locked);
  // First, because it holds the domain, which is locked before accounts.
  if (isFollowed) await moveAddress(tx, { id, email: locked.email }, values.email, home);
  if (isMember && isRenamed) await tx.run(renameAccount, [id, values.firstName, values.lastName]);
  await recordEvent(tx, {
    action: 'USER_UPDATED',
    entity: 'account',
    entityId: id,
    metadata: { fields, ...(isMoved && !isFollowed ? { ignored: ['email'] } : {}) },
  });
  return fields;
}

/**
 * Activates or deactivates a user, if `active` differs from before. A former member keeps the former
 * credentials. An account that was never a member joins as in `createUser`.
 */
async function follow(
  tx: TenantConnection,
  locked: Locked,
  { active }: UserValues,
  { fields, home }: { fields: string[]; home: string },
): Promise<void> {
  const { id, active: wasActive } = locked.shown;
  if (active === undefined || active === wasActive) return;
  if (fields.length === 0) await tx.run(markProvisioned, [tx.tenant.orgId, id]);
  if (!active) {
    await endMembership(tx, id);
    await recordEvent(tx, { action: 'USER_DEACTIVATED', entity: 'account', entityId: id });
    return;
  }
  await keepOwnDomain(tx, locked.email);
  const [elsewhere] = await tx.run(membershipElsewhere, [id]);
  if (elsewhere) throw taken();
  if (locked.last_role === null) await takeIn(tx, id, home);
  const role = returningRole(locked.last_role, locked.default_role ?? firstDefaultRole);
  await addMembership(tx, id, role);
  await tx.run(leaveAccount, [tx.tenant.orgId, id]);
  await recordEvent(tx, {
    action: 'USER_REACTIVATED',
    entity: 'account',
    entityId: id,
    metadata: { role },
  });
  await grantRoles(tx, [id]);
}

/** Removes a user. The account stays, and can be provisioned again. @throws as `changeUser` */
export async function deleteUser(
  tenant: Tenant,
  id: AccountId,
  ifMatch: string | undefined,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const { shown, role } = await lockUser(tx, id);
    refuseStale(shown, ifMatch);
    if (role !== null) await endMembership(tx, id);
    await tx.run(removeUser, [tenant.orgId, id]);
    await recordEvent(tx, { action: 'USER_DEPROVISIONED', entity: 'account', entityId: id });
  }, deactivating);
}
