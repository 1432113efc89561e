import type { Database } from '#server/platform/database.ts';
import { endSessionOf, findSession } from './sessions.ts';
import { writeAsAccount } from './write-as-account.ts';

/** Ends the session of a token. An unknown or expired token changes nothing. */
export async function signOut(database: Database, token: string, address: string): Promise<void> {
  const found = await findSession(database, token);
  if (!found) return;
  const self = { user: found.user, address, session: null };
  await writeAsAccount(database, self, { action: 'SIGNED_OUT' }, (tx) => endSessionOf(tx, token));
}
