import type { Connection, Statement } from '#server/platform/database.ts';
import { type Asking, requireStillAsking } from './change-credentials.ts';

const keepSession: Statement = {
  name: 'keep_session',
  text: "select set_config('app.kept_session', $1, true)",
};

/**
 * Holds the account to the end of the transaction, whose end of a membership leaves the session that
 * asks alone (migration 0023).
 * @throws as `requireStillAsking`
 */
export async function holdSession(
  tx: Pick<Connection, 'run'>,
  user: Asking['user'],
  session: Asking['session'],
): Promise<void> {
  await requireStillAsking(tx, { user, session });
  await tx.run(keepSession, [session.id]);
}
