import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

// The account's row first: whatever ends the sessions of an account locks it first, too.
const lockAccount: Statement = {
  name: 'lock_account_of_session',
  text: 'select 1 from accounts where id = $1 and email = $2 for update',
};
const lockSession: Statement = {
  name: 'lock_session',
  text: 'select 1 from sessions where id = $1 and account_id = $2 for update',
};
const keepSession: Statement = {
  name: 'keep_session',
  text: "select set_config('app.kept_session', $1, true)",
};

/**
 * Holds a session to the end of the transaction: it still exists, its account still has this address,
 * and the end of a membership in this transaction leaves it alone (migration 0023).
 * @throws DomainError 401 for a session that has ended since the request began
 */
export async function holdSession(
  { run }: Pick<Connection, 'run'>,
  user: { id: AccountId; email: string },
  session: { id: string },
): Promise<void> {
  const account = await run(lockAccount, [user.id, user.email]);
  const found = await run(lockSession, [session.id, user.id]);
  if (account.length === 0 || found.length === 0) {
    throw new DomainError('unauthorized', 'not_signed_in', 'Unauthorized');
  }
  await run(keepSession, [session.id]);
}
