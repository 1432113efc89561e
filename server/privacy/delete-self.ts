import type { SignedInUser } from '#domain/auth/contract.ts';
import { invalid } from '#domain/errors.ts';
import { requireStillAsking } from '#server/auth/change-credentials.ts';
import { passwordMatches } from '#server/auth/password.ts';
import { accounts } from '#server/auth/tables.ts';
import { tenantOf } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';
import { deleteAccount, eraseOwnAccount } from './erase-person.ts';

/**
 * Deletes the caller's own account, once they have typed its address, and its password where it has one.
 * Their present organization forgets who they were; records of former organizations stay with those.
 * @throws DomainError 400 where either is another, 409 for the last admin of an organisation; as
 *   `requireStillAsking`
 */
export async function deleteSelf(
  services: Services,
  { user, session }: { user: SignedInUser; session: { id: string } },
  address: string,
  given: { email: string; password?: string | undefined },
): Promise<void> {
  const { database } = services;
  if (given.email !== user.email) {
    throw invalid('other_address', 'This is not the address of your account', 'email');
  }
  const [account] = await database.read('outside', ({ db }) =>
    db.select({ hash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, user.id)),
  );
  // An account that signs in elsewhere has no password to give.
  if (account?.hash && !(await passwordMatches(account.hash, given.password ?? ''))) {
    throw invalid('wrong_password', 'This is not your current password', 'password');
  }
  const { id, orgId, role } = user;
  const asking = { user, session, comparedHash: account?.hash ?? null };
  if (orgId === null || role === null) {
    await database.write('outside', async (tx) => {
      await requireStillAsking(tx, asking);
      await tx.run(deleteAccount, [id]);
    });
    return;
  }
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  await eraseOwnAccount(services, tenantOf(database, actor, address, 'checked-first'), asking);
}
