import type { Connection, Statement } from '#server/platform/database.ts';
import { type Asking, requireStillAsking } from './change-credentials.ts';

const keep: Statement = {
  name: 'keep_session',
  text: "select set_config('app.kept_session', $1, true)",
};

/**
 * Keeps the requesting session when the transaction's changes end others like it (migrations 0023, 0035,
 * and 0037).
 */
export async function keepSession(
  tx: Pick<Connection, 'run'>,
  session: { id: string },
): Promise<void> {
  await tx.run(keep, [session.id]);
}

/**
 * Locks the account until the transaction ends, and keeps the requesting session when the end of a membership
 * deletes the account's others (migration 0023).
 * @throws as `requireStillAsking`
 */
export async function holdSession(
  tx: Pick<Connection, 'run'>,
  user: Asking['user'],
  session: Asking['session'],
): Promise<void> {
  await requireStillAsking(tx, { user, session });
  await keepSession(tx, session);
}
