import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { notFound } from '#domain/errors.ts';
import type { UpdateProfileBody } from '#domain/profile/contract.ts';
import { type Asking, changeCredentials } from '#server/auth/change-credentials.ts';
import { type Changing, mailAccountChange } from '#server/auth/mail-account-change.ts';
import { hashPassword } from '#server/auth/password.ts';
import { requireOwnPassword } from '#server/auth/require-own-password.ts';
import { endResets } from '#server/auth/reset-password.ts';
import { endSessionById, endSessionsBut } from '#server/auth/sessions.ts';
import { accounts } from '#server/auth/tables.ts';
import {
  type AccountConnection,
  type Self,
  writeAsAccount,
} from '#server/auth/write-as-account.ts';
import type { Database } from '#server/platform/database.ts';
import { eq } from '#server/platform/drizzle.ts';
import type { Services } from '#server/services.ts';

/** The account whose session changes its own data. */
interface SignedInSelf extends Self {
  user: SignedInUser;
  session: { id: string };
}

/** Updates the fields that differ. The audit event lists them. */
export async function updateProfile(
  database: Database,
  self: SignedInSelf,
  given: UpdateProfileBody,
): Promise<SignedInUser> {
  const { user } = self;
  const fields = (['firstName', 'lastName', 'language'] as const).filter(
    (field) => given[field] !== undefined && given[field] !== user[field],
  );
  if (fields.length === 0) return user;
  const { firstName = user.firstName, lastName = user.lastName, language = user.language } = given;
  const changed = { firstName, lastName, language };
  await writeAsAccount(
    database,
    self,
    { action: 'PROFILE_UPDATED', metadata: { fields } },
    async ({ db }) => {
      await db.update(accounts).set(changed).where(eq(accounts.id, user.id));
    },
  );
  return { ...user, ...changed };
}

/**
 * Sets a new password, ends the other sessions and the reset links of the account, and mails its owner.
 * @throws DomainError 400 if the current password is wrong; as `requireStillAsking`
 */
export async function changePassword(
  services: Services,
  request: FastifyRequest,
  self: SignedInSelf & Changing & Asking,
  given: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { database } = services;
  const { id } = self.user;
  const [account] = await database.connection('outside', ({ db }) =>
    db.select({ hash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, id)),
  );
  const comparedHash = account?.hash ?? null;
  const { user } = self;
  const compared = { hash: comparedHash, given: given.currentPassword, field: 'currentPassword' };
  await requireOwnPassword(services, request, { user, ...compared });
  const passwordHash = await hashPassword(given.newPassword, id);
  const asking = { ...self, comparedHash };
  await changeCredentials(database, asking, { action: 'PASSWORD_UPDATED' }, async (tx) => {
    await tx.db.update(accounts).set({ passwordHash }).where(eq(accounts.id, id));
    await endResets(tx, id);
    await endSessionsBut(tx, id, self.session.id);
    await mailAccountChange(tx, self, 'passwordChanged');
  });
}

/** Ends all sessions of the account except the requesting one. */
export function endOtherSessions(database: Database, self: SignedInSelf & Asking): Promise<void> {
  return changeCredentials(database, self, { action: 'SESSIONS_REMOVED' }, (tx) =>
    endSessionsBut(tx, self.user.id, self.session.id),
  );
}

/** Ends one session of the account. @throws DomainError 404 */
export async function endOneSession(
  database: Database,
  self: SignedInSelf & Asking,
  id: string,
): Promise<void> {
  const end = async (tx: AccountConnection) => {
    if (!(await endSessionById(tx, self.user.id, id))) throw notFound();
  };
  const endsOwnSession = id === self.session.id;
  await changeCredentials(database, self, { action: 'SESSION_REMOVED' }, end, { endsOwnSession });
}
