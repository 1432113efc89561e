import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedInUser } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Connection, Database } from '#server/platform/database.ts';
import { and, desc, eq, gt, ne } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { sessions } from './tables.ts';

export const sessionDays = 30;
/** Nobody is signed in more often, or reads on. */
const mostShown = 100;
const sessionId = z.uuid();
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Begins a session. Answers the token for the cookie; only its hash is kept. */
export async function beginSession(
  database: Database,
  account: AccountId,
  from: { address: string; userAgent: string | undefined },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date();
  await database.read('outside', ({ db }) =>
    db.insert(sessions).values({
      id: newId(sessionId),
      tokenHash: hashOf(token),
      accountId: account,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionDays * 86_400_000),
      address: from.address,
      userAgent: from.userAgent?.slice(0, 300) ?? null,
    }),
  );
  return token;
}

interface SessionRow {
  account_id: AccountId;
  email: string;
  first_name: string;
  last_name: string;
  profile_image_url: string | null;
  language: Language | null;
  role: Role | null;
  org_id: OrgId | null;
}
const sessionByHash = { name: 'find_session', text: 'select * from find_session($1)' };

/** The signed-in user of a session token, or null when there is no such session, or it has ended. */
export async function findSession(database: Database, token: string): Promise<SignedInUser | null> {
  const [row] = await database.read('outside', (connection) =>
    connection.run<SessionRow>(sessionByHash, [hashOf(token)]),
  );
  if (!row) return null;
  return {
    id: row.account_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    profileImageUrl: row.profile_image_url,
    language: row.language,
    role: row.role,
    orgId: row.org_id,
  };
}

export async function endSession(database: Database, token: string): Promise<void> {
  await database.read('outside', ({ db }) =>
    db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token))),
  );
}

/** Ends the sessions of an account, but for the one of this token, as a part of `at`. */
export async function endSessionsBut(
  at: Pick<Connection, 'db'>,
  account: AccountId,
  token: string,
): Promise<void> {
  await at.db
    .delete(sessions)
    .where(and(eq(sessions.accountId, account), ne(sessions.tokenHash, hashOf(token))));
}

/** The sessions of an account that have not run out, newest first. */
export async function listSessions(database: Database, account: AccountId, token: string) {
  const found = await database.read('outside', ({ db }) =>
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.accountId, account), gt(sessions.expiresAt, new Date())))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(mostShown),
  );
  const current = hashOf(token);
  return found.map(({ id, createdAt, userAgent, address, tokenHash }) => ({
    id,
    createdAt: createdAt.toISOString(),
    userAgent,
    address,
    current: current.equals(tokenHash),
  }));
}
