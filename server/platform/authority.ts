import { type Actor, type Permission, type Role, rolesWith } from '#domain/auth/permissions.ts';
import type { AccountId, ApiTokenId, OrgId } from '#domain/ids.ts';
import type { Check, Statement } from './database.ts';

/**
 * Why a person's transaction does not check a session at its end:
 * - `own-proof`: the transaction itself verifies another proof: signing in, a mailed link, a new
 *   account
 * - `checked-first`: it ends the actor's own authority, and checks that authority first, under its
 *   own locks (`requireStillAsking`)
 * - `socket`: a guest's socket, which is closed within a second after its authority ends
 *   (revocations.ts)
 * - `seed`: there is no actor
 */
export type WithoutSession = 'own-proof' | 'checked-first' | 'socket' | 'seed';

/** A person's authority in an organization. A `permission` of null means that of every member. */
export interface SessionAuthority {
  session: { id: string };
  permission: Permission | null;
}

/**
 * The authority of a member's socket. The permission is the one the socket was admitted with: to
 * run calls, or not.
 */
export interface SocketAuthority {
  socket: { id: string };
  permission: Permission | null;
}

/** The authority of a person who acts by a token. */
export interface ApiTokenAuthority {
  apiToken: { id: ApiTokenId };
  permission: Permission | null;
}

/** `asker`: the check of the actor on whose behalf the system acts in another organization. */
export type Authority =
  | SessionAuthority
  | SocketAuthority
  | ApiTokenAuthority
  | { asker: { check: Check | null } }
  | WithoutSession;

const requireSession: Statement = {
  name: 'require_session',
  text: 'select require_session($1, $2, $3, $4, $5)',
};
const requireScimToken: Statement = {
  name: 'require_scim_token',
  text: 'select require_scim_token($1, $2)',
};
const requireApiToken: Statement = {
  name: 'require_api_token',
  text: 'select require_api_token($1, $2, $3)',
};

/**
 * Returns a check that fails once the session has ended; within an organization also once the
 * account is no longer a member or has none of these roles, or, where `isStrong`, the session lacks the
 * factors that the organization requires.
 */
export const sessionCheck = (
  session: { id: string },
  account: AccountId,
  within: { orgId: OrgId; roles: readonly Role[]; isStrong?: boolean } | null,
): Check => ({
  statement: requireSession,
  values: [
    ...[session.id, account, within?.orgId ?? null, within?.roles ?? null],
    within?.isStrong ?? false,
  ],
});

/**
 * Returns the check for the commit of this actor's transaction; null for guests, jobs, and
 * `WithoutSession`.
 * @param options `anyRole` where the transaction may have changed the actor's own role
 */
export function checkOf(
  actor: Actor,
  by: Authority | null,
  { anyRole = false } = {},
): Check | null {
  if (actor.kind === 'token') {
    const { tokenId, orgId } = actor;
    return actor.of === 'scim'
      ? { statement: requireScimToken, values: [tokenId, orgId] }
      : { statement: requireApiToken, values: [tokenId, orgId, null] };
  }
  if (by === null || typeof by === 'string' || 'socket' in by) return null;
  if ('asker' in by) return by.asker.check;
  if (actor.kind !== 'user') return null;
  const { accountId, orgId, role } = actor;
  // An action reserved for super admins depends on the role that the actor had at the start.
  const having = role === 'SUPERADMIN' ? [role] : rolesWith(by.permission);
  const roles = anyRole ? rolesWith(null) : having;
  if ('apiToken' in by) {
    return { statement: requireApiToken, values: [by.apiToken.id, orgId, roles] };
  }
  return sessionCheck(by.session, accountId, { orgId, roles, isStrong: by.permission !== null });
}

/** Work that waited longer than this for its connection first checks that its actor is still authorized. */
export const lateMs = 500;

/**
 * Returns the check to run before this actor's delayed work begins, and at the commit of what a member's socket
 * changes: a socket is closed within a second, but its messages may wait longer, behind earlier ones or for a lock.
 */
export function lateCheckOf(actor: Actor, by: Authority | null): Check | null {
  if (actor.kind !== 'user' || by === null || typeof by === 'string' || !('socket' in by))
    return checkOf(actor, by);
  const { accountId, orgId } = actor;
  // Without the factors, no socket is admitted.
  return sessionCheck(by.socket, accountId, {
    orgId,
    roles: rolesWith(by.permission),
    isStrong: true,
  });
}
