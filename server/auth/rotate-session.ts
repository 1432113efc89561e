import { randomBytes } from 'node:crypto';
import type { AccountId } from '#domain/ids.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { lockAccount } from './lock-account.ts';
import { hashOf } from './sessions.ts';

/** Requests that were on their way with the old token still count for so long. */
const graceSeconds = 60;

const askRotation: Statement = {
  name: 'ask_session_rotation',
  text: 'update sessions set rotate = true where account_id = $1',
};
// A session that another transaction holds is skipped: its next request is soon enough.
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
 * What an account may do has changed: each of its sessions gets another token with its next answer. Holds
 * the account until the transaction `at` ends.
 */
export async function rotateSessionsOf(
  at: Pick<Connection, 'run'>,
  account: AccountId,
): Promise<void> {
  await lockAccount(at, account);
  await at.run(askRotation, [account]);
}

/** The token that a session goes on with; null where a request at the same time was first. */
export async function rotateSession(database: Database, token: string): Promise<string | null> {
  const next = randomBytes(32).toString('base64url');
  const rotated = await database.lookUp(rotate, [hashOf(token), hashOf(next)]);
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
