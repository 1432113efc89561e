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

/** As `lockAccount`, and waits for rows that come to refer to the account: for its deletion. */
export async function lockAccountToDelete(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(lockWithReferences, [account]);
}

/**
 * Holds an account until the transaction ends. Every change to what signs in to it begins with this, and
 * so does whatever ends or changes its sessions, the end of a membership among them: all of them follow
 * each other in the order in which they came, and none waits for another one's sessions. An organization's
 * admins are locked before (`lockAdmins`). Rows that only refer to the account, of which an organization
 * may insert as many as it likes in long transactions, are not waited for.
 */
export async function lockAccount(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(lock, [account]);
}

/** `lockAccount` for several, in the order of their ids: no two transactions wait for each other. */
export async function lockAccounts(
  { run }: Pick<Connection, 'run'>,
  accounts: readonly AccountId[],
): Promise<void> {
  await run(lockAll, [accounts]);
}
