import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import { type Passkey, type PasskeyId, passkeyId } from '#domain/passkeys/contract.ts';
import { type Asking, changeCredentials } from '#server/auth/change-credentials.ts';
import { type Changing, mailAccountChange } from '#server/auth/mail-account-change.ts';
import type { Self } from '#server/auth/write-as-account.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, asc, eq, gt, isNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { passkeyChallenges, passkeys } from './tables.ts';

const challengeSeconds = 300;
/** Passkeys of an account. */
const mostPasskeys = 20;

/** Stores a challenge until it is answered, once. `account` is null for signing in. */
export async function keepChallenge(
  database: Database,
  challenge: string,
  account: AccountId | null,
): Promise<void> {
  const expiresAt = new Date(Date.now() + challengeSeconds * 1000);
  await database.connection('outside', ({ db }) =>
    db.insert(passkeyChallenges).values({ challenge, accountId: account, expiresAt }),
  );
}

/** Takes an unexpired challenge of this account. Returns whether there was one. */
export async function takeChallenge(
  database: Database,
  challenge: string,
  account: AccountId | null,
): Promise<boolean> {
  const taken = await database.connection('outside', ({ db }) =>
    db
      .delete(passkeyChallenges)
      .where(
        and(
          eq(passkeyChallenges.challenge, challenge),
          gt(passkeyChallenges.expiresAt, new Date()),
          account === null
            ? isNull(passkeyChallenges.accountId)
            : eq(passkeyChallenges.accountId, account),
        ),
      )
      .returning({ challenge: passkeyChallenges.challenge }),
  );
  return taken.length > 0;
}

export function listPasskeys(database: Database, account: AccountId) {
  return database.connection('outside', ({ db }) =>
    db
      .select()
      .from(passkeys)
      .where(eq(passkeys.accountId, account))
      .orderBy(asc(passkeys.id))
      .limit(100),
  );
}

/** @throws DomainError 409 if an account that has so many can have no more */
export function refuseMore(passkeysOfAccount: number): void {
  if (passkeysOfAccount < mostPasskeys) return;
  throw new DomainError(
    'conflict',
    'too_many_passkeys',
    `You already have ${mostPasskeys} passkeys. Remove one that you no longer use, then add this one.`,
  );
}

const countOfAccount: Statement = {
  name: 'passkeys_of_account',
  text: 'select count(*)::int as count from passkeys where account_id = $1',
};

type Row = Awaited<ReturnType<typeof listPasskeys>>[number];

export const asPasskey = ({ id, name, createdAt, lastUsedAt, backedUp }: Row): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  isBackedUp: backedUp,
});

/** @throws DomainError 409 if an account already has it, or this one has too many */
export async function insertPasskey(
  database: Database,
  self: Self & Changing & Asking,
  given: Omit<Row, 'id' | 'accountId' | 'createdAt' | 'lastUsedAt'>,
): Promise<Row> {
  const fixed = { id: newId(passkeyId), accountId: self.user.id };
  const row = { ...given, ...fixed, createdAt: new Date(), lastUsedAt: null };
  const happened = { action: 'PASSKEY_ADDED' as const, metadata: { passkeyId: row.id } };
  try {
    await changeCredentials(database, self, happened, async (tx) => {
      // The account is locked.
      const [own] = await tx.run<{ count: number }>(countOfAccount, [self.user.id]);
      refuseMore(own?.count ?? 0);
      await tx.db.insert(passkeys).values(row);
      await mailAccountChange(tx, self, 'passkeyAdded', row.name);
    });
    return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error;
    throw new DomainError('conflict', 'passkey_known', 'You’ve already added this passkey.');
  }
}

/** @throws DomainError 404 */
export async function renamePasskey(
  database: Database,
  self: Self & Asking,
  id: PasskeyId,
  name: string,
): Promise<Row> {
  const happened = { action: 'PASSKEY_UPDATED' as const, metadata: { fields: ['name'] } };
  return changeCredentials(database, self, happened, async ({ db }) => {
    const [renamed] = await db
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.accountId, self.user.id), eq(passkeys.id, id)))
      .returning();
    if (!renamed) throw notFound();
    return renamed;
  });
}

// Sessions do not know which passkey began them.
const endPasskeySessions: Statement = {
  name: 'end_passkey_sessions',
  text: "delete from sessions where account_id = $1 and method = 'passkey' and id <> $2",
};

/**
 * Removes a passkey, and ends the account's other sessions that began with one.
 * @throws DomainError 404
 */
export async function deletePasskey(
  database: Database,
  self: Self & Changing & Asking,
  id: PasskeyId,
): Promise<void> {
  const happened = { action: 'PASSKEY_REMOVED' as const, metadata: { passkeyId: id } };
  await changeCredentials(database, self, happened, async (tx) => {
    const [removed] = await tx.db
      .delete(passkeys)
      .where(and(eq(passkeys.accountId, self.user.id), eq(passkeys.id, id)))
      .returning({ name: passkeys.name });
    if (!removed) throw notFound();
    await tx.run(endPasskeySessions, [self.user.id, self.session.id]);
    await mailAccountChange(tx, self, 'passkeyRemoved', removed.name);
  });
}

export async function findByCredential(database: Database, credentialId: string) {
  const [found] = await database.connection('outside', ({ db }) =>
    db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)),
  );
  return found ?? null;
}

export async function notePasskeyUse(
  database: Database,
  id: PasskeyId,
  counter: number,
): Promise<void> {
  await database.connection('outside', ({ db }) =>
    db.update(passkeys).set({ counter, lastUsedAt: new Date() }).where(eq(passkeys.id, id)),
  );
}
