import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { User } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Database } from '#server/platform/database.ts';
import { eq } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { sessions } from './tables.ts';

export const sessionDays = 30;
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
  role: Role | null;
  org_id: OrgId | null;
}
const sessionByHash = { name: 'find_session', text: 'select * from find_session($1)' };

/** The signed-in user of a session token, or null when there is no such session, or it has ended. */
export async function findSession(database: Database, token: string): Promise<User | null> {
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
    role: row.role,
    orgId: row.org_id,
  };
}

export async function endSession(database: Database, token: string): Promise<void> {
  await database.read('outside', ({ db }) =>
    db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token))),
  );
}
