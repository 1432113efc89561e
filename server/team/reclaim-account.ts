import type { Role } from '#domain/auth/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import { lockAccount } from '#server/auth/lock-account.ts';
import { holdOwnDomain, ownerOfAddress } from '#server/auth/refuse-owned-domain.ts';
import { lockUnverified, removeCredentials } from '#server/auth/verify-address.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isLockRefused } from '#server/platform/database-errors.ts';
import { overruleLocks } from '#server/platform/overrule-locks.ts';
import type { Services } from '#server/services.ts';
import { takeOut } from './take-out.ts';

interface Holder {
  id: AccountId;
  isVerified: boolean;
  isUnproved: boolean;
  orgId: OrgId;
  role: Role;
}
const holderOfAddress: Statement = {
  name: 'holder_of_address',
  text: `select a.id, a.email_verified_at is not null as "isVerified", m.org_id as "orgId", m.role,
      exists (select from unproved_membership_of(a.id) u where u.came_by_copied_link) as "isUnproved"
    from accounts a cross join lateral find_membership(a.id) m where a.email = $1`,
};
const unprovedMembership: Statement = {
  name: 'unproved_membership_to_reclaim',
  text: 'select 1 from unproved_membership_of($1) where came_by_copied_link',
};

/**
 * Takes an account of the tenant's verified domain out of another organization, even as its last admin. If
 * its address is unverified, this also removes its credentials. If the owner has verified the address, only a
 * membership that came by a copied link before that ends. Does nothing for an operator, and for a domain that
 * the tenant does not own. Afterwards the account is in no organization.
 * @throws DomainError 503 if another role of the database holds locks on the membership; the credentials of
 * an unverified account are removed in any case
 */
export async function reclaimAccount(
  { database }: Pick<Services, 'database'>,
  tenant: Tenant,
  email: string,
): Promise<void> {
  const holder = await tenant.connection(async (at) => {
    if ((await ownerOfAddress(at, email)) !== tenant.orgId) return null;
    const [found] = await at.run<Holder & Record<string, unknown>>(holderOfAddress, [email]);
    return found ?? null;
  });
  if (!holder || (holder.isVerified && !holder.isUnproved) || holder.role === 'SUPERADMIN') return;
  if (holder.orgId === tenant.orgId) return;
  const { id: accountId, orgId } = holder;
  const owner = { kind: 'system' as const, name: 'domain-owner', orgId };
  const former = tenantOf(database, owner, null, { asker: tenant });
  try {
    // With a connection of the tenant, because the other organization may have used up its own.
    await tenant.transaction(async (at) => {
      if (!(await holdOwnDomain(at, email))) return;
      await former.continueTransaction(at, (tx) =>
        overruleLocks(database, tx, () => leaveUnproved(tx, accountId)),
      );
    });
  } catch (error) {
    if (!isLockRefused(error)) throw error;
    await disarmUnverified(tenant, accountId, email);
    throw new DomainError(
      'unavailable',
      'account_busy',
      'This account is being changed. Please try again in a moment.',
      { retryAfterSeconds: 5 },
    );
  }
}

/**
 * Locks the account's row, which belongs to no organization. Of the organization's rows it locks only the
 * membership and what ends with it. It does not lock the admins, because the last admin need not stay. Does
 * nothing if the address was verified or the membership ended in the meantime.
 */
async function leaveUnproved(tx: TenantConnection, id: AccountId): Promise<void> {
  const isUnverified = await lockUnverified(tx, id);
  if (!isUnverified && !(await lockUnproved(tx, id))) return;
  if (!(await takeOut(tx, id, 'domain_owned'))) return;
  if (isUnverified) await removeCredentials(tx, id);
}

/** Locks a verified account. Returns whether its membership came by a copied link before the verification. */
async function lockUnproved(tx: TenantConnection, id: AccountId): Promise<boolean> {
  await lockAccount(tx, id);
  return (await tx.run(unprovedMembership, [id])).length > 0;
}

/** Removes the credentials of an unverified account, without waiting for locks of the organization. */
function disarmUnverified(tenant: Tenant, id: AccountId, email: string): Promise<void> {
  return tenant.transaction(async (tx) => {
    if (!(await holdOwnDomain(tx, email))) return;
    if (await lockUnverified(tx, id)) await removeCredentials(tx, id);
  });
}
