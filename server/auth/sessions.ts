import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedInUser, SignInMethod } from '#domain/auth/contract.ts';
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

interface Beginning {
  method: SignInMethod;
  twoFactors: boolean;
  at: Date;
  address: string;
  userAgent: string | undefined;
  device: { id: string };
}

/** Begins a session (sign-in.ts). Answers the token for the cookie; only its hash is kept. */
export async function insertSession(
  { db }: Pick<Connection, 'db'>,
  account: AccountId,
  { at, method, twoFactors, address, userAgent, device }: Beginning,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.insert(sessions).values({
    id: newId(sessionId),
    tokenHash: hashOf(token),
    accountId: account,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    expiresAt: new Date(at.getTime() + sessionDays * 86_400_000),
    address,
    userAgent: userAgent?.slice(0, 300) ?? null,
    method,
    twoFactors,
    deviceId: device.id,
  });
  return token;
}

interface SessionRow {
  session_id: string;
  last_seen_at: Date;
  method: SignInMethod;
  two_factors: boolean;
  confirmed_at: Date;
  email_unverified: boolean;
  two_factor_required: boolean;
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

/** How the session of a request began, for what asks for more than that there is one. */
export interface CurrentSession {
  id: string;
  method: SignInMethod;
  twoFactors: boolean;
  /** When the person last proved that it is them. */
  confirmedAt: Date;
}

/** The person and session of a token, or null when there is no such session, or it has ended. */
export async function findSession(
  database: Database,
  token: string,
): Promise<{ user: SignedInUser; session: CurrentSession } | null> {
  const [row] = await database.read('outside', (connection) =>
    connection.run<SessionRow>(sessionByHash, [hashOf(token)]),
  );
  if (!row) return null;
  const { session_id: id, method, two_factors: twoFactors, confirmed_at: confirmedAt } = row;
  return { user: userOf(row), session: { id, method, twoFactors, confirmedAt } };
}

/** The identity provider answers for the factors of those who come from it. */
const fromProvider: readonly SignInMethod[] = ['oidc', 'saml'];

function userOf(row: SessionRow): SignedInUser {
  return {
    id: row.account_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    profileImageUrl: row.profile_image_url,
    language: row.language,
    role: row.role,
    orgId: row.org_id,
    mustVerifyEmail: row.email_unverified,
    mustSetUpTwoFactor:
      row.two_factor_required && !row.two_factors && !fromProvider.includes(row.method),
  };
}

/** Ends the session of a token, where there is one. */
export async function endSessionOf({ db }: Pick<Connection, 'db'>, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token)));
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
