import type { Role } from '#domain/auth/permissions.ts';
import { type AccountId, accountId } from '#domain/ids.ts';
import { ScimError } from '#domain/scim/error.ts';
import { returningRole } from '#domain/scim/roles.ts';
import type { UserValues } from '#domain/scim/user-values.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { takeIn } from '#server/sso/take-in.ts';
import { hasAnAdmin } from '#server/team/member-store.ts';
import { readDefaultRole } from './grant-roles.ts';
import { keepOwnDomain, requireOwnDomain } from './require-own-domain.ts';
import { readUser, type UserRow } from './user-store.ts';

const accountByEmail: Statement = {
  name: 'scim_account_by_email',
  text: `select a.id, exists (select 1 from find_membership(a.id)) as "isTaken"
    from accounts a where a.email = $1`,
};
const insertAccount: Statement = {
  name: 'scim_insert_account',
  text: 'insert into accounts (id, email, first_name, last_name) values ($1, $2, $3, $4)',
};
const insertUser: Statement = {
  name: 'scim_insert_user',
  text: `insert into scim_users (org_id, account_id, user_name, external_id, attributes,
      provisioned_at, account_made_at, deactivated_at)
    values ($1, $2, $3, $4, $5, now(), case when $6::boolean then now() end, case when $7::boolean then now() end)`,
};
const insertMembership: Statement = {
  name: 'scim_insert_membership',
  text: 'insert into memberships (org_id, account_id, role) values ($1, $2, $3)',
};

/** @throws ScimError 403 if the last member has left the organization */
export async function addMembership(
  tx: TenantConnection,
  id: AccountId,
  role: Role,
): Promise<void> {
  await tx.run(insertMembership, [tx.tenant.orgId, id, role]);
  if (!(await hasAnAdmin(tx))) throw new ScimError(403, 'This organization has no admin any more.');
}

/** The input for creating a user, in addition to the tenant. */
export interface Creation {
  takesNewAccounts: boolean;
  /** The server's public URL, for links in mails. */
  home: string;
  /** Removes an unverified account of this address from another organization (team/reclaim-account.ts). */
  reclaim: (email: string) => Promise<void>;
}

/**
 * Makes a person of a verified domain a member, with a new account that has no password, or with the existing
 * account of the address, whose credentials are removed.
 * @throws ScimError 403 for a domain that the organization does not own, or if new accounts are not allowed;
 * 409 uniqueness
 */
export async function createUser(
  tenant: Tenant,
  given: UserValues,
  { takesNewAccounts, home, reclaim }: Creation,
): Promise<UserRow> {
  await tenant.connection((at) => requireOwnDomain(at, given.email));
  await reclaim(given.email);
  try {
    return await tenant.transaction(async (tx) => {
      await keepOwnDomain(tx, given.email);
      const { id, isNew } = await accountFor(tx, given);
      if (isNew && !takesNewAccounts) {
        throw new ScimError(403, 'New accounts are closed on this server.');
      }
      const isActive = given.active !== false;
      const { userName, externalId, attributes } = given;
      const values = [tenant.orgId, id, userName, externalId, attributes, isNew, !isActive];
      await tx.run(insertUser, values);
      const role = returningRole(null, await readDefaultRole(tx));
      // An inactive user joins when activated (change-user.ts).
      if (!isNew && isActive) await takeIn(tx, id, home);
      if (isActive) await addMembership(tx, id, role);
      await recordEvent(tx, {
        action: 'USER_PROVISIONED',
        entity: 'account',
        entityId: id,
        metadata: { ...(isActive ? { role } : {}), active: isActive, accountMade: isNew },
      });
      return readUser(tx, id);
    });
  } catch (error) {
    throw asTaken(error);
  }
}

async function accountFor(
  tx: TenantConnection,
  { email, firstName, lastName }: UserValues,
): Promise<{ id: AccountId; isNew: boolean }> {
  const [found] = await tx.run<{ id: AccountId; isTaken: boolean }>(accountByEmail, [email]);
  if (found?.isTaken) throw taken();
  if (found) return { id: found.id, isNew: false };
  const id = newId(accountId);
  await tx.run(insertAccount, [id, email, firstName, lastName]);
  return { id, isNew: true };
}

/** The message is the same for every organization, so that it does not reveal who uses the address. */
export const taken = () =>
  new ScimError(
    409,
    'This userName or email address is in use already. Choose another, or link the existing user.',
    'uniqueness',
  );

const unique = [
  'accounts_email_key',
  'scim_users_user_name',
  'scim_users_pkey',
  'memberships_one_organization',
];
export const asTaken = (error: unknown) =>
  unique.some((name) => isUniqueViolation(error, name)) ? taken() : error;
