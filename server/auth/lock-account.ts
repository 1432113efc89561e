import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

const lock: Statement = {
  name: 'lock_account',
  text: 'select 1 from accounts where id = $1 for no key update',
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
 * Holds an account until the transaction ends. Every change to what signs in to it begins with this, so
 * that two of them, or one and a sign-in, follow each other. Rows that only refer to the account, of which
 * an organization may insert as many as it likes in long transactions, are not waited for.
 */
export async function lockAccount(
  { run }: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await run(lock, [account]);
}
