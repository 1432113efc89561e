import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError, invalid } from '#domain/errors.ts';
import { requireStillAsking } from '#server/auth/change-credentials.ts';
import { freshMinutes, isFresh } from '#server/auth/confirm-self.ts';
import { leaveAccount } from '#server/auth/leave-account.ts';
import { lockAccountToDelete } from '#server/auth/lock-account.ts';
import { requireOwnPassword } from '#server/auth/require-own-password.ts';
import type { CurrentSession } from '#server/auth/sessions.ts';
import { accounts } from '#server/auth/tables.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Connection, Statement } from '#server/platform/database.ts';
import { actsBriefly } from '#server/platform/database-timeouts.ts';
import { eq } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { eraseOwnAccount } from './erase-person.ts';
import { beginErasure } from './finish-erasures.ts';

const membershipOf: Statement = {
  name: 'membership_of_deleted_account',
  text: 'select 1 from find_membership($1)',
};

/**
 * Deletes the caller's own account, after they have typed its address, and its password if it has one. The
 * current organization anonymizes its records of the person; former organizations keep theirs. What others have
 * locked follows (finish-erasures.ts).
 * @throws DomainError 400 if the address or password is wrong; 403 `sign_in_again` without a password or a
 * recent sign-in; 409 for the last admin of an organization, or if the account has joined one in the
 * meantime; as `requireStillAsking`
 */
export async function deleteSelf(
  services: Services,
  request: FastifyRequest,
  { user, session }: { user: SignedInUser; session: CurrentSession },
  given: { email: string; password?: string | undefined },
): Promise<void> {
  const { database } = services;
  if (given.email !== user.email) {
    throw invalid('other_address', 'This isn’t your account’s email address', 'email');
  }
  const [account] = await database.connection('outside', ({ db }) =>
    db.select({ hash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, user.id)),
  );
  // An account that signs in by single sign-on has no password, so it needs a recent sign-in.
  if (!account?.hash) {
    if (!isFresh(session)) throw mustSignInAgain();
  } else {
    const compared = { hash: account.hash, given: given.password ?? '', field: 'password' };
    await requireOwnPassword(services, request, { user, ...compared });
  }
  const { id, orgId, role } = user;
  const asking = { user, session, comparedHash: account?.hash ?? null };
  if (orgId === null || role === null) {
    const deleting = async (tx: Connection) => {
      await tx.run(actsBriefly, []);
      await lockAccountToDelete(tx, id);
      await requireStillAsking(tx, asking);
      // Joining locks the account, too. So this cannot delete an account that is becoming a last admin.
      if ((await tx.run(membershipOf, [id])).length > 0) throw hasJoined();
      await leaveAccount(tx, id);
    };
    await database.transaction('outside', deleting, { actorKey: id });
    await beginErasure(services, id, null);
    return;
  }
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  await eraseOwnAccount(services, tenantOf(database, actor, request.ip, 'checked-first'), asking);
}

const hasJoined = () =>
  new DomainError(
    'conflict',
    'joined_meanwhile',
    'You joined an organization in the meantime. Reload the page, and try again.',
  );

const mustSignInAgain = () =>
  new DomainError(
    'forbidden',
    'sign_in_again',
    `Your account has no password to confirm with. Sign out and in again, and delete it within ${freshMinutes} minutes.`,
  );
