import { randomBytes } from 'node:crypto';
import type { AccountId } from '#domain/ids.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { lockAccount } from './lock-account.ts';

/** How long requests in flight may still use the old token. */
const graceSeconds = 60;

const askRotation: Statement = {
  name: 'ask_session_rotation',
  text: 'update sessions set rotate = true where account_id = $1',
};
// Skips a session that another transaction has locked: its next request rotates it.
const rotate: Statement = {
  name: 'rotate_session',
  text: `update sessions set token_hash = $2, rotate = false, previous_token_hash = token_hash,
      previous_until = now() + interval '${graceSeconds} seconds'
    where id = (select id from sessions where token_hash = $1 and rotate for no key update skip locked)
    returning 1`,
};
const touch: Statement = {
  name: 'touch_session',
  text: `update sessions set last_seen_at = now()
    where id = (select id from sessions where id = $1 for no key update skip locked)`,
};

/**
 * Rotates the token of each session of an account, with the session's next answer. Call it when the account's
 * permissions change. Locks the account until the transaction `at` ends.
 */
export async function rotateSessionsOf(
  at: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await lockAccount(at, account);
  await at.run(askRotation, [account]);
}

/** Returns the session's new token; null if a concurrent request rotated it first. */
export async function rotateSession(database: Database, token: string): Promise<string | null> {
  const next = randomBytes(32).toString('base64url');
  const rotated = await database.lookUp(rotate, [hashToken(token), hashToken(next)]);
  return rotated.length > 0 ? next : null;
}

const touchSeconds = 300;

export async function noteSeen(
  database: Database,
  session: { id: string; lastSeenAt: Date },
): Promise<void> {
  if (Date.now() - session.lastSeenAt.getTime() < touchSeconds * 1000) return;
  await database.lookUp(touch, [session.id]);
}
