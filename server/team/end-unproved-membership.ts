import type { AccountId } from '#domain/ids.ts';
import type { Unproved } from '#server/auth/credentials-removed-email.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isLockRefused } from '#server/platform/database-errors.ts';
import { takeOut, waitBriefly } from './take-out.ts';
import { undoPrepared } from './undo-prepared.ts';

// Two memberships need no proof: of an address in the organization's verified domain, and of an operator,
// whom the command line appointed.
const membership: Statement = {
  name: 'membership_before_verification',
  text: `select o.name as organization, m.role in ('ORGADMIN', 'SUPERADMIN') as "isAdmin",
      m.came_by_copied_link as "isUnproved"
    from memberships m
    join organizations o on o.id = m.org_id
    join accounts a on a.id = m.account_id
    where m.org_id = $1 and m.account_id = $2 and m.role <> 'SUPERADMIN'
      and sso_organization_of_domain(split_part(a.email, '@', 2)) is distinct from m.org_id`,
};
const savepoint: Statement = {
  name: 'before_unproved_membership',
  text: 'savepoint before_unproved_membership',
};
const backToSavepoint: Statement = {
  name: 'back_to_unproved_membership',
  text: 'rollback to savepoint before_unproved_membership',
};
// What the account's sessions are about to commit is visible afterward; see migration 0035.
const awaitWrites: Statement = {
  name: 'await_writes_of_account',
  text: `select pg_advisory_xact_lock(hashtextextended('takeover ' || $1::text, 0))`,
};
// Locked until the transaction ends, so that the other admin cannot be removed or demoted.
const otherAdmin: Statement = {
  name: 'other_admin_that_stays',
  text: `select 1 from memberships
    where org_id = $1 and account_id <> $2 and role in ('ORGADMIN', 'SUPERADMIN')
    order by account_id limit 1 for no key update`,
};

/**
 * Ends a membership that came by a copied link, when the address is first verified outside of the account's
 * sessions: the admin who copied the link may have accepted it with another person's address. For the only
 * admin of an organization, it undoes what others could have prepared there. The caller holds the lock on the
 * account's row.
 * @returns null if nothing had to be done. A membership that was `kept` stays although it is not proved. The
 * organization's required single sign-on does not lock the owner out of such an account, and the owner of the
 * domain can reclaim it.
 */
export async function endUnprovedMembership(
  tx: TenantConnection,
  id: AccountId,
): Promise<Unproved | null> {
  const values = [tx.tenant.orgId, id];
  const [found] = await tx.run<Membership>(membership, values);
  if (!found || (!found.isUnproved && !found.isAdmin)) return null;
  const { organization } = found;
  await tx.run(waitBriefly, []);
  await tx.run(savepoint, []);
  try {
    await tx.run(awaitWrites, [id]);
    const settled = await settle(tx, id, found);
    return settled.membership || settled.prepared ? { organization, ...settled } : null;
  } catch (error) {
    // The organization's locks must not keep the owner out: the credentials are removed in any case.
    if (!isLockRefused(error)) throw error;
    await tx.run(backToSavepoint, []);
    return {
      organization,
      membership: found.isUnproved ? 'kept' : null,
      prepared: found.isAdmin ? 'locked' : null,
    };
  }
}

interface Membership {
  organization: string;
  isAdmin: boolean;
  isUnproved: boolean;
}

async function settle(
  tx: TenantConnection,
  id: AccountId,
  { isAdmin, isUnproved }: Membership,
): Promise<Pick<Unproved, 'membership' | 'prepared'>> {
  const isOnlyAdmin = isAdmin && (await tx.run(otherAdmin, [tx.tenant.orgId, id])).length === 0;
  if (isOnlyAdmin) {
    const hasUndone = await undoPrepared(tx);
    return { membership: isUnproved ? 'kept' : null, prepared: hasUndone ? 'undone' : null };
  }
  const hasLeft = isUnproved && (await takeOut(tx, id, 'address_unproved'));
  return { membership: hasLeft ? 'ended' : null, prepared: null };
}
