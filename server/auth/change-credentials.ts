import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { AuditEntry } from '#server/audit/record-event.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { lockAccount } from './lock-account.ts';
import { type AccountConnection, type Self, writeAsAccount } from './write-as-account.ts';

/** Who asks for a change, in which of their sessions, and with which password. */
export interface Asking {
  user: { id: AccountId };
  session: { id: string };
  /** The hash that the password was compared with, null for an account without one; absent for none. */
  comparedHash?: string | null;
}

const askedBy: Statement = {
  name: 'asked_by_session',
  text: `select a.password_hash as "passwordHash" from accounts a
    join sessions s on s.account_id = a.id where a.id = $1 and s.id = $2`,
};

/**
 * Locks the account and looks again, in the transaction of a change: since the request began, a reset, a
 * directory, or the owner of the domain may have ended its session or replaced the password that was
 * compared. What they removed, a request on its way must not bring back.
 * @throws DomainError 401 where the session has ended, 409 where the password is another by now
 */
export async function requireStillAsking(
  tx: Pick<Connection, 'run'>,
  { user, session, comparedHash }: Asking,
): Promise<void> {
  // A statement of its own: it sees what the one before has waited for.
  const [, [now]] = await Promise.all([
    lockAccount(tx, user.id),
    tx.run<{ passwordHash: string | null }>(askedBy, [user.id, session.id]),
  ]);
  if (!now) {
    throw new DomainError(
      'unauthorized',
      'session_ended',
      'You were signed out in the meantime, and nothing was changed. Please sign in again.',
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
 * `writeAsAccount` for whatever changes how an account is signed in to, or ends its sessions.
 * @param options `endsOwnSession` for the one that asks, which is looked for at the start alone
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
