import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

const lock: Statement = {
  name: 'lock_account',
  text: 'select 1 from accounts where id = $1 for no key update',
};

const lockAll: Statement = {
  name: 'lock_accounts',
  text: 'select 1 from accounts where id = any ($1::uuid[]) order by id for no key update',
};

const lockWithReferences: Statement = {
  name: 'lock_account_with_references',
  text: 'select 1 from accounts where id = $1 for update',
};

/**
 * Locks an account to mark it as deleted: as `lockAccount`, but also waits for inserts of rows that refer to it,
 * such as a membership.
 */
export async function lockAccountToDelete(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(lockWithReferences, [account]);
}

/**
 * Locks an account until the transaction ends. Every change to how it signs in, and every change to its
 * sessions, including the end of a membership, takes this lock first. So these changes run in the order in
 * which they arrive, and none waits for sessions that another one holds. A change that also locks the
 * organization's admins (`lockAdmins`) must lock them before the account. The lock does not wait for rows
 * that only refer to the account: an organization may insert any number of them in long transactions. Whoever
 * holds it waits for rows of an organization briefly (`actsBriefly`): the owner needs it to sign in.
 */
export async function lockAccount(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(lock, [account]);
}

/** Locks several accounts in the order of their IDs, so that two transactions cannot deadlock. */
export async function lockAccounts(
  { run }: Pick<Connection, 'run'>,
  accounts: readonly AccountId[],
): Promise<void> {
  await run(lockAll, [accounts]);
}
