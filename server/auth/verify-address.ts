import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';
import { lockAccount } from './lock-account.ts';

const lockUnverifiedStatement: Statement = {
  name: 'lock_unverified_account',
  text: 'select 1 from accounts where id = $1 and email_verified_at is null for no key update',
};
const markVerified: Statement = {
  name: 'mark_address_verified',
  text: `update accounts set email_verified_at = now(),
      verified_as_owner_at = case when $2::boolean then now() end
    where id = $1`,
};
const removePassword: Statement = {
  name: 'remove_password_of_account',
  text: `update accounts set password_hash = null
    where id = $1 and password_hash is not null returning 1`,
};
// Known devices go as well, because a sign-in from a known device is not mailed to the owner. Links stay as
// used: an account without any counts as one that was not asked to verify its address.
const removeFactors: Statement = {
  name: 'remove_factors_of_account',
  text: `with app as (delete from totp_factors where account_id = $1 returning 1),
      codes as (delete from recovery_codes where account_id = $1),
      keys as (delete from passkeys where account_id = $1 returning 1),
      challenges as (delete from passkey_challenges where account_id = $1),
      resets as (update password_resets set used_at = now()
        where account_id = $1 and used_at is null),
      devices as (delete from account_devices where account_id = $1 and $2::uuid is null),
      links as (update email_verifications set used_at = now()
        where account_id = $1 and used_at is null and $2::uuid is null),
      sessions as (delete from sessions
        where account_id = $1 and id is distinct from $2::uuid returning 1)
    select 1 from app union all select 1 from keys union all select 1 from sessions`,
};
const endAccess: Statement = {
  name: 'end_access_of_account',
  text: 'select end_access_of_account($1) as ended',
};

type At = Pick<Connection, 'run'>;

/**
 * Marks the account's address as verified: its owner followed a link that only the mailbox received, or
 * signed in by the SSO of the organization that owns the domain. Before the first verification, anyone could
 * have set up the account, so all its credentials are removed: password, authenticator app, recovery codes,
 * passkeys, and sessions.
 * @param session the owner's own session of this account, if the link was followed in one; this session and
 * the password stay
 * @returns null if the address was already verified; otherwise whether anything was removed, which the caller
 * reports to the owner
 */
export async function verifyAddress(
  at: At,
  account: AccountId,
  session: { id: string } | null,
): Promise<{ hasRemoved: boolean } | null> {
  if (!(await lockUnverified(at, account))) return null;
  const hasRemoved = await removeCredentials(at, account, session);
  await at.run(markVerified, [account, session === null]);
  return { hasRemoved };
}

/** Locks an account until the transaction ends. Returns false if its address is verified. */
export async function lockUnverified(at: At, account: AccountId): Promise<boolean> {
  const unverified = await at.run(lockUnverifiedStatement, [account]);
  return unverified.length > 0;
}

/**
 * Removes everything that signs in to an account or acts as it: password, factors, passkeys, known devices, mailed
 * links, sessions, personal API tokens, and calendar addresses. The owner regains access by single sign-on or a new reset link.
 * @param session a session that stays, along with the password
 * @returns whether anything was removed
 */
export async function removeCredentials(
  at: At,
  account: AccountId,
  session: { id: string } | null = null,
): Promise<boolean> {
  // Locks the account first: a concurrent sign-in holds this lock, so its session is visible afterward.
  await lockAccount(at, account);
  const password = session ? [] : await at.run(removePassword, [account]);
  const others = await at.run(removeFactors, [account, session?.id ?? null]);
  const [access] = await at.run<{ ended: number }>(endAccess, [account]);
  return password.length + others.length + (access?.ended ?? 0) > 0;
}
