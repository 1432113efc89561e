import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedInUser, SignInMethod } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { and, desc, eq, ne, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { SharedLookUps } from '#server/platform/shared-look-ups.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { lockAccount } from './lock-account.ts';
import { sessions } from './tables.ts';

/**
 * From sign-in, regardless of use: NIST SP 800-63B, 4.1.3 (AAL1). A session that is unused for a week ends
 * sooner (`lasts`).
 */
export const sessionDays = 30;
const idleDays = 7;
/** True for a session that has not expired. `find_session` has the same condition. */
const lasts = sql`${sessions.expiresAt} > now()
  and ${sessions.lastSeenAt} > now() - make_interval(days => ${idleDays})`;
/** More than anyone needs or reads. */
const mostShown = 100;
const sessionId = z.uuid();

interface Beginning {
  method: SignInMethod;
  ssoOrgId: OrgId | null;
  twoFactors: boolean;
  at: Date;
  address: string;
  userAgent: string | undefined;
  device: { id: string };
}

/**
 * Per account. Ending each session takes a moment, so an account with very many sessions would make the
 * removal of the member, or a password reset, take too long.
 */
const mostSessions = 100;
const endOldest: Statement = {
  name: 'end_oldest_sessions',
  text: `delete from sessions where id in (
    select id from sessions where account_id = $1 order by created_at desc, id desc offset ${mostSessions})`,
};

/**
 * Inserts a session (sign-in.ts) and ends the oldest ones beyond a hundred. Returns the token for the cookie;
 * only its hash is stored.
 */
export async function insertSession(
  { db, run }: Pick<Connection, 'db' | 'run'>,
  account: AccountId,
  { at, method, ssoOrgId, twoFactors, address, userAgent, device }: Beginning,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.insert(sessions).values({
    id: newId(sessionId),
    tokenHash: hashToken(token),
    accountId: account,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    expiresAt: new Date(at.getTime() + sessionDays * 86_400_000),
    address,
    userAgent: userAgent?.slice(0, 300) ?? null,
    method,
    ssoOrgId,
    twoFactors,
    deviceId: device.id,
  });
  await run(endOldest, [account]);
  return token;
}

interface SessionRow {
  session_id: string;
  last_seen_at: Date;
  method: SignInMethod;
  sso_org_id: OrgId | null;
  two_factors: boolean;
  confirmed_at: Date;
  rotate: boolean;
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
const sessionsByHash = new SharedLookUps<SessionRow & Record<string, unknown>>({
  name: 'find_session',
  text: 'select * from find_session($1)',
});

/** How the session of a request began, for checks that need more than a session. */
export interface CurrentSession {
  id: string;
  method: SignInMethod;
  /** The organization whose identity provider authenticated the session; null for other sign-in methods. */
  ssoOrgId: OrgId | null;
  twoFactors: boolean;
  /** Two factors, or an identity provider that vouches for them. */
  isStrong: boolean;
  /** The organization requires a strong session. */
  twoFactorRequired: boolean;
  /** When the person last authenticated or re-authenticated. */
  confirmedAt: Date;
  lastSeenAt: Date;
  /** The next answer carries a new token (rotate-session.ts). */
  rotate: boolean;
}

/** Returns the user and session of a token; null if there is no such session or it has ended. */
export async function findSession(
  database: Database,
  token: string,
): Promise<{ user: SignedInUser; session: CurrentSession } | null> {
  const row = await sessionsByHash.find(database, hashToken(token));
  if (!row) return null;
  return { user: userOf(row), session: currentOf(row) };
}

function currentOf(row: SessionRow): CurrentSession {
  return {
    id: row.session_id,
    method: row.method,
    ssoOrgId: row.sso_org_id,
    twoFactors: row.two_factors,
    isStrong: row.two_factors || row.sso_org_id !== null,
    twoFactorRequired: row.two_factor_required,
    confirmedAt: row.confirmed_at,
    lastSeenAt: row.last_seen_at,
    rotate: row.rotate,
  };
}

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
    mustSetUpTwoFactor: row.two_factor_required && !currentOf(row).isStrong,
  };
}

// Also by the token before the last rotation, while requests may still use it (`find_session`).
const endByHash: Statement = {
  name: 'end_session_of_token',
  text: `delete from sessions where token_hash = $1
    or previous_token_hash = $1 and previous_until > now()`,
};

/** Ends the session of a token, if there is one. */
export async function endSessionOf({ run }: Pick<Connection, 'run'>, token: string): Promise<void> {
  await run(endByHash, [hashToken(token)]);
}

const noteEnded: Statement = {
  name: 'note_ended_sign_ins',
  text: 'select note_ended_sign_ins($1)',
};

/**
 * Ends all sessions of an account, and sign-ins for which its identity provider was asked before. Locks the account
 * until the transaction `at` ends.
 */
export async function endSessionsOf(
  at: Pick<Connection, 'db' | 'run'>,
  account: AccountId,
): Promise<void> {
  await lockAccount(at, account);
  await at.db.delete(sessions).where(eq(sessions.accountId, account));
  await at.run(noteEnded, [account]);
}

/** As `endSessionsOf`, except for this one. */
export async function endSessionsBut(
  at: Pick<Connection, 'db' | 'run'>,
  account: AccountId,
  id: string,
): Promise<void> {
  await lockAccount(at, account);
  await at.db.delete(sessions).where(and(eq(sessions.accountId, account), ne(sessions.id, id)));
  await at.run(noteEnded, [account]);
}

/** Ends one session of an account. Returns whether there was one. */
export async function endSessionById(
  at: Pick<Connection, 'db'>,
  account: AccountId,
  id: string,
): Promise<boolean> {
  const ended = await at.db
    .delete(sessions)
    .where(and(eq(sessions.accountId, account), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** Deletes expired sessions. */
export async function forgetSessions(database: Database): Promise<void> {
  await database.connection('outside', ({ db }) => db.delete(sessions).where(sql`not (${lasts})`));
}

/** Returns the unexpired sessions of an account, newest first. */
export async function listSessions(database: Database, account: AccountId, currentId: string) {
  const found = await database.connection('outside', ({ db }) =>
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.accountId, account), lasts))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(mostShown),
  );
  return found.map(({ id, createdAt, lastSeenAt, method, twoFactors, userAgent, address }) => ({
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    method,
    twoFactors,
    userAgent,
    address,
    current: id === currentId,
  }));
}
