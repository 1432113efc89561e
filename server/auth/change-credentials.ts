import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { AuditEntry } from '#server/audit/record-event.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { lockAccount } from './lock-account.ts';
import { type AccountConnection, type Self, writeAsAccount } from './write-as-account.ts';

/** The account, session, and password behind a request for a change. */
export interface Asking {
  user: { id: AccountId };
  session: { id: string };
  /**
   * The hash that the password was compared with; null if the account has none, absent if no password was
   * sent.
   */
  comparedHash?: string | null;
}

const askedBy: Statement = {
  name: 'asked_by_session',
  text: `select a.password_hash as "passwordHash" from accounts a
    join sessions s on s.account_id = a.id where a.id = $1 and s.id = $2`,
};

/**
 * Locks the account and checks the session and password hash again, in the transaction of the change. Since
 * the request began, a password reset, a directory, or the owner of the domain may have ended the session or
 * replaced the password. A request in flight must not restore what they removed.
 * @throws DomainError 401 if the session has ended, 409 if the password has changed
 */
export async function requireStillAsking(
  tx: Pick<Connection, 'run'>,
  { user, session, comparedHash }: Asking,
): Promise<void> {
  // A separate statement, so that it sees the changes that the lock waited for.
  const [, [now]] = await Promise.all([
    lockAccount(tx, user.id),
    tx.run<{ passwordHash: string | null }>(askedBy, [user.id, session.id]),
  ]);
  if (!now) {
    throw new DomainError(
      'unauthorized',
      'session_ended',
      'You were signed out in the meantime, so nothing was changed. Please sign in again.',
    );
  }
  if (comparedHash === undefined || comparedHash === now.passwordHash) return;
  throw new DomainError(
    'conflict',
    'password_replaced',
    'Your password was changed in the meantime. Please enter the current one.',
  );
}

/**
 * Runs `writeAsAccount` for changes to how an account signs in, and for changes that end its sessions.
 * @param options set `endsOwnSession` if the change ends the requesting session; the session is then checked
 * only at the start
 * @throws as `requireStillAsking`
 */
export function changeCredentials<T>(
  database: Database,
  self: Self & Asking,
  happened: Pick<AuditEntry, 'action' | 'metadata'>,
  change: (tx: AccountConnection) => Promise<T>,
  { endsOwnSession = false } = {},
): Promise<T> {
  const at = endsOwnSession ? { ...self, session: null } : self;
  return writeAsAccount(database, at, happened, async (tx) => {
    await requireStillAsking(tx, self);
    return change(tx);
  });
}
