import type { AccountId } from '#domain/ids.ts';
import type { Unproved } from '#server/auth/credentials-removed-email.ts';
import { lockAccount } from '#server/auth/lock-account.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { isLockRefused, isTimedOut } from '#server/platform/database-errors.ts';
import { actsBriefly } from '#server/platform/database-timeouts.ts';
import { takeOut } from './take-out.ts';
import { awaitWrites, awaitWritesOfAdmins, beginTakeover, forgetTakeover } from './takeovers.ts';
import { sendGuestsOut, TakesLonger, undoPrepared } from './undo-prepared.ts';

// Two memberships need no proof: of an address in the organization's verified domain, and of an operator,
// whom the command line appointed.
const membership: Statement = {
  name: 'membership_before_verification',
  text: `select o.name as organization, m.role = 'ORGADMIN' as "isAdmin",
      m.came_by_copied_link as "isUnproved",
      exists (select from memberships other where other.org_id = m.org_id
        and other.account_id <> m.account_id and other.role in ('ORGADMIN', 'SUPERADMIN'))
        as "hasOtherAdmin",
      exists (select from memberships other where other.org_id = m.org_id
        and other.account_id <> m.account_id) as "hasMembers"
    from memberships m
    join organizations o on o.id = m.org_id
    join accounts a on a.id = m.account_id
    where m.org_id = $1 and m.account_id = $2 and m.role <> 'SUPERADMIN'
      and sso_organization_of_domain(split_part(a.email, '@', 2)) is distinct from m.org_id`,
};
// The same name again, once the locks are held: going back keeps them.
const savepoint: Statement = {
  name: 'before_unproved_membership',
  text: 'savepoint before_unproved_membership',
};
const backToSavepoint: Statement = {
  name: 'back_to_unproved_membership',
  text: 'rollback to savepoint before_unproved_membership',
};
// Locked until the transaction ends, so that the other admin cannot be removed or demoted.
const otherAdmin: Statement = {
  name: 'other_admin_that_stays',
  text: `select 1 from memberships
    where org_id = $1 and account_id <> $2 and role in ('ORGADMIN', 'SUPERADMIN')
    order by account_id limit 1 for no key update`,
};

/** How long the owner waits for the undoing to begin its last statement. */
const undoingMs = 2000;

/**
 * Ends a membership that came by a copied link, when the address is first verified outside of the account's
 * sessions: the admin who copied the link may have accepted it with another person's address. For the only
 * admin of an organization, it undoes what others could have prepared there. Neither locks nor the size of the
 * organization must keep the owner out of the account: what they prevent is done by finish-takeovers.ts later, and
 * until then its guests stay out. The caller holds the lock on the account's row.
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
  await beginTakeover(tx, id);
  await tx.run(actsBriefly, []);
  await tx.run(savepoint, []);
  try {
    await awaitWrites(tx, id);
    const settled = await settle(tx, id, found);
    await forgetTakeover(tx, id);
    return isWorthTelling(settled) ? { organization, ...settled } : null;
  } catch (error) {
    if (!mayBeDoneLater(error)) throw error;
    await tx.run(backToSavepoint, []);
    await sendGuestsOut(tx);
    // Others may have joined, or left, while locks were waited for.
    const [now = found] = await tx.run<Membership>(membership, values);
    const { isUnproved, isAdmin, hasOtherAdmin, hasMembers } = now;
    const isLeft = isAdmin && !hasOtherAdmin;
    const later = {
      membership: isUnproved ? (hasOtherAdmin ? 'ending' : 'kept') : null,
      prepared: isLeft ? 'undoing' : null,
      hasMembers: isLeft && hasMembers,
    } as const;
    return isWorthTelling(later) ? { organization, ...later } : null;
  }
}

type Settled = Omit<Unproved, 'organization'>;

const isWorthTelling = ({ membership, prepared, hasMembers }: Settled) =>
  membership !== null || prepared !== null || hasMembers;

const mayBeDoneLater = (error: unknown) =>
  isLockRefused(error) || isTimedOut(error) || error instanceof TakesLonger;

interface Membership {
  organization: string;
  isAdmin: boolean;
  isUnproved: boolean;
  hasOtherAdmin: boolean;
  hasMembers: boolean;
}

async function settle(
  tx: TenantConnection,
  id: AccountId,
  { isAdmin, isUnproved }: Membership,
): Promise<Settled> {
  if (isAdmin && (await staysOnlyAdmin(tx, id))) {
    await tx.run(savepoint, []);
    const hasUndone = await undoPrepared(tx, undoingMs);
    const [now] = await tx.run<Membership>(membership, [tx.tenant.orgId, id]);
    return {
      membership: isUnproved ? 'kept' : null,
      prepared: hasUndone ? 'undone' : null,
      hasMembers: now?.hasMembers ?? false,
    };
  }
  const hasLeft = isUnproved && (await takeOut(tx, id, 'address_unproved'));
  return { membership: hasLeft ? 'ended' : null, prepared: null, hasMembers: false };
}

/**
 * Returns whether this is the organization's only admin, and keeps it so until the transaction ends. Another admin
 * may have been made while what was about to be committed was waited for.
 */
async function staysOnlyAdmin(tx: TenantConnection, id: AccountId): Promise<boolean> {
  if (!(await isOnlyAdmin(tx, id))) return false;
  await awaitWritesOfAdmins(tx);
  return isOnlyAdmin(tx, id);
}

const isOnlyAdmin = async (tx: TenantConnection, id: AccountId) =>
  (await tx.run(otherAdmin, [tx.tenant.orgId, id])).length === 0;

/**
 * Ends the membership of a takeover that is not finished, unless it is the only admin's.
 * @returns whether there is something to undo instead
 */
export async function settleMembership(tx: TenantConnection, id: AccountId): Promise<boolean> {
  // The owner needs the lock on the account to sign in.
  await tx.run(actsBriefly, []);
  await lockAccount(tx, id);
  const [found] = await tx.run<Membership>(membership, [tx.tenant.orgId, id]);
  if (found?.isAdmin && (await staysOnlyAdmin(tx, id))) return true;
  if (found?.isUnproved) await takeOut(tx, id, 'address_unproved');
  return false;
}
