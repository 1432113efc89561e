import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

// The account's row first: a sign-in that is under way holds it (auth/still-proved.ts), so that the
// statement after this one sees the session.
const forgetPassword: Statement = {
  name: 'forget_password_of_account',
  text: 'update accounts set password_hash = null where id = $1',
};
const forgetTheRest: Statement = {
  name: 'forget_credentials_of_account',
  text: `with totp as (delete from totp_factors where account_id = $1),
      codes as (delete from recovery_codes where account_id = $1),
      keys as (delete from passkeys where account_id = $1),
      devices as (delete from account_devices where account_id = $1),
      links as (delete from email_verifications where account_id = $1 and used_at is null),
      resets as (
        update password_resets set used_at = now() where account_id = $1 and used_at is null
      )
    delete from sessions where account_id = $1`,
};

/**
 * Removes everything that signs in to an account: password, passkeys, second factors, sessions, known
 * devices and mailed links. Its owner signs in by single sign-on or by a new reset link.
 */
export async function forgetCredentials(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(forgetPassword, [account]);
  await run(forgetTheRest, [account]);
}
