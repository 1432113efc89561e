import { type Actor, type Permission, type Role, rolesWith } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Check, Statement } from './database.ts';

/**
 * Why transactions of a person look at no session at their end:
 * - `own-proof`: another proof than a session, which the transaction itself checks: signing in, a mailed
 *   link, a new account
 * - `checked-first`: it ends the authority of who asks, and looks for it first, under its own locks
 *   (`requireStillAsking`)
 * - `socket`: a guest's socket, which ends within a second after the authority (revocations.ts)
 * - `seed`: no one asks
 */
export type WithoutSession = 'own-proof' | 'checked-first' | 'socket' | 'seed';

/** By what a person acts in an organization. A permission of null is that of every member. */
export interface SessionAuthority {
  session: { id: string };
  permission: Permission | null;
}

/** By what the socket of a member acts, who could run calls or not when it was let in. */
export interface SocketAuthority {
  socket: { id: string };
  permission: Permission | null;
}

/** `asker`: for whom the system acts in another organization. */
export type Authority =
  | SessionAuthority
  | SocketAuthority
  | { asker: { check: Check | null } }
  | WithoutSession;

const requireSession: Statement = {
  name: 'require_session',
  text: 'select require_session($1, $2, $3, $4)',
};
const requireToken: Statement = {
  name: 'require_scim_token',
  text: 'select require_scim_token($1, $2)',
};

/**
 * Fails once the session has ended; within an organization also once the account is no member of it, or
 * has none of these roles.
 */
export const sessionCheck = (
  session: { id: string },
  account: AccountId,
  within: { orgId: OrgId; roles: readonly Role[] } | null,
): Check => ({
  statement: requireSession,
  values: [session.id, account, within?.orgId ?? null, within?.roles ?? null],
});

/**
 * What must hold as a transaction of this actor commits; null for guests, for jobs, and `WithoutSession`.
 * @param options `anyRole` where the transaction may have changed the role of who asks
 */
export function checkOf(
  actor: Actor,
  by: Authority | null,
  { anyRole = false } = {},
): Check | null {
  if (actor.kind === 'token') {
    return { statement: requireToken, values: [actor.tokenId, actor.orgId] };
  }
  if (by === null || typeof by === 'string' || 'socket' in by) return null;
  if ('asker' in by) return by.asker.check;
  if (actor.kind !== 'user') return null;
  const { accountId, orgId, role } = actor;
  // What a super admin alone may do hangs on the role that the actor had at the start.
  const having = role === 'SUPERADMIN' ? [role] : rolesWith(by.permission);
  return sessionCheck(by.session, accountId, { orgId, roles: anyRole ? rolesWith(null) : having });
}

/** Work that had to wait longer than this for its connection looks first whether its sender may still ask. */
export const lateMs = 500;

/**
 * What must hold as work of this actor begins that has waited: reads too, and work of sockets, which are
 * ended within a second, while what they had sent may wait behind more of their own for longer.
 */
export function lateCheckOf(actor: Actor, by: Authority | null): Check | null {
  if (actor.kind !== 'user' || by === null || typeof by === 'string' || !('socket' in by))
    return checkOf(actor, by);
  const { accountId, orgId } = actor;
  return sessionCheck(by.socket, accountId, { orgId, roles: rolesWith(by.permission) });
}
