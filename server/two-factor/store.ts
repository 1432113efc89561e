import { DomainError, invalid } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import {
  type Asking,
  changeCredentials,
  requireStillAsking,
} from '#server/auth/change-credentials.ts';
import { type Changing, mailAccountChange } from '#server/auth/mail-account-change.ts';
import { accounts, sessions } from '#server/auth/tables.ts';
import type { AccountConnection, Self } from '#server/auth/write-as-account.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { and, eq, isNull, ne, sql } from '#server/platform/drizzle.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { hashRecoveryCode, newRecoveryCode, recoveryCodeCount } from './recovery-code.ts';
import { recoveryCodes, totpFactors } from './tables.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

const purpose = 'totp';

/** Returns since when a second factor is on, null if it is off, and the number of recovery codes left. */
export function readFactor(database: Database, account: AccountId) {
  return database.connection('outside', async ({ db }) => {
    const [[factor], left] = await Promise.all([
      db
        .select({ confirmedAt: totpFactors.confirmedAt })
        .from(totpFactors)
        .where(eq(totpFactors.accountId, account)),
      db
        .select({ hash: recoveryCodes.codeHash })
        .from(recoveryCodes)
        .where(and(eq(recoveryCodes.accountId, account), isNull(recoveryCodes.usedAt))),
    ]);
    const enabledAt = factor?.confirmedAt ?? null;
    return { enabledAt, recoveryCodesLeft: enabledAt ? left.length : 0 };
  });
}

/**
 * Returns a new secret, which takes effect once a code of it is confirmed.
 * @throws DomainError 409 if a second factor is on
 */
export async function startFactor(
  database: Database,
  secrets: Secrets,
  { user: account, session }: { user: { id: AccountId; email: string }; session: { id: string } },
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  const sealedSecret = seal(secrets, purpose, account.id, secret);
  const createdAt = new Date();
  const made = await database.transaction(
    'outside',
    async (tx) => {
      await requireStillAsking(tx, { user: account, session });
      return tx.db
        .insert(totpFactors)
        .values({ accountId: account.id, sealedSecret, createdAt })
        .onConflictDoUpdate({
          target: totpFactors.accountId,
          set: { sealedSecret, createdAt, lastStep: null },
          setWhere: isNull(totpFactors.confirmedAt),
        })
        .returning({ id: totpFactors.accountId });
    },
    { actorKey: account.id },
  );
  if (made.length === 0) throw enabledAlready();
  return { secret, uri: totpUri(secret, account.email) };
}

const enabledAlready = () =>
  new DomainError(
    'conflict',
    'two_factor_enabled',
    'Two-factor sign-in is already on. Turn it off first to set up another app.',
  );

/**
 * Turns the second factor on by a first code, ends the other sessions, and returns the recovery codes.
 * @throws DomainError 400 for a wrong code, 409 if nothing was started or it is already on
 */
export function confirmFactor(
  database: Database,
  secrets: Secrets,
  self: Self & Changing & Asking,
  code: string,
): Promise<string[]> {
  const { id } = self.user;
  return changeCredentials(database, self, { action: 'TWO_FACTOR_ENABLED' }, async (tx) => {
    const [factor] = await tx.db
      .select()
      .from(totpFactors)
      .where(eq(totpFactors.accountId, id))
      .for('update');
    if (!factor) {
      throw new DomainError('conflict', 'two_factor_not_started', 'Please start again.');
    }
    if (factor.confirmedAt) throw enabledAlready();
    const lastStep = await stepOfCode(
      unseal(secrets, purpose, id, factor.sealedSecret),
      code,
      null,
    );
    if (lastStep === null) {
      throw invalid('wrong_code', 'This code is incorrect. Please enter the current one.', 'code');
    }
    await tx.db
      .update(totpFactors)
      .set({ confirmedAt: new Date(), lastStep })
      .where(eq(totpFactors.accountId, id));
    await tx.db
      .delete(sessions)
      .where(and(eq(sessions.accountId, id), ne(sessions.id, self.session.id)));
    await tx.db
      .update(sessions)
      .set({ twoFactors: true, factorShownAt: new Date() })
      .where(eq(sessions.id, self.session.id));
    await mailAccountChange(tx, self, 'twoFactorOn');
    return replaceRecoveryCodes(tx, id);
  });
}

async function replaceRecoveryCodes({ db }: AccountConnection, id: AccountId): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const createdAt = new Date();
  await db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, id));
  await db
    .insert(recoveryCodes)
    .values(
      codes.map((code) => ({ accountId: id, codeHash: hashRecoveryCode(id, code), createdAt })),
    );
  return codes;
}

/** @throws DomainError 409 without a second factor */
export function renewCodes(database: Database, self: Self & Changing & Asking): Promise<string[]> {
  return changeCredentials(database, self, { action: 'RECOVERY_CODES_RENEWED' }, async (tx) => {
    const [factor] = await tx.db
      .select({ confirmedAt: totpFactors.confirmedAt })
      .from(totpFactors)
      .where(eq(totpFactors.accountId, self.user.id));
    if (!factor?.confirmedAt) {
      throw new DomainError('conflict', 'two_factor_off', 'Turn on two-factor sign-in first.');
    }
    await mailAccountChange(tx, self, 'recoveryCodesRenewed');
    return replaceRecoveryCodes(tx, self.user.id);
  });
}

// A passkey counts as two factors by itself, and an identity provider vouches for its own.
const weakenSessions: Statement = {
  name: 'weaken_sessions_of_account',
  text: `update sessions set two_factors = false
    where account_id = $1 and two_factors and method not in ('passkey', 'oidc', 'saml')`,
};

/** Turns the second factor off, and mails the owner. Existing sessions then count as one-factor sessions. */
export async function removeFactor(
  database: Database,
  self: Self & Changing & Asking,
): Promise<void> {
  const { id } = self.user;
  await changeCredentials(database, self, { action: 'TWO_FACTOR_REMOVED' }, async (tx) => {
    const { db } = tx;
    const removed = await db
      .delete(totpFactors)
      .where(eq(totpFactors.accountId, id))
      .returning({ confirmedAt: totpFactors.confirmedAt });
    if (removed[0]?.confirmedAt) await mailAccountChange(tx, self, 'twoFactorOff');
    await db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, id));
    await tx.run(weakenSessions, [id]);
  });
}

/** Returns the data of an account that the second step of signing in needs. */
export async function findPendingAccount(database: Database, id: AccountId) {
  const [found] = await database.connection('outside', ({ db }) =>
    db
      .select({
        id: accounts.id,
        email: accounts.email,
        language: accounts.language,
        passwordHash: accounts.passwordHash,
      })
      .from(accounts)
      .where(eq(accounts.id, id)),
  );
  return found ?? null;
}

/**
 * Accepts a code of the app or a recovery code, once. A used recovery code is mailed to the owner.
 * @returns the kind of code; null for a wrong one
 */
export function takeCode(
  database: Database,
  secrets: Secrets,
  by: Changing,
  code: string,
): Promise<'totp' | 'recovery-code' | null> {
  const { id } = by.user;
  return database.transaction('outside', async (tx) => {
    const { db } = tx;
    const [factor] = await db
      .select()
      .from(totpFactors)
      .where(eq(totpFactors.accountId, id))
      .for('update');
    if (!factor?.confirmedAt) return null;
    const secret = unseal(secrets, purpose, id, factor.sealedSecret);
    const step = await stepOfCode(secret, code, factor.lastStep);
    if (step !== null) {
      await db.update(totpFactors).set({ lastStep: step }).where(eq(totpFactors.accountId, id));
      return 'totp';
    }
    const used = await db
      .update(recoveryCodes)
      .set({ usedAt: sql`now()` })
      .where(
        and(
          eq(recoveryCodes.accountId, id),
          eq(recoveryCodes.codeHash, hashRecoveryCode(id, code)),
          isNull(recoveryCodes.usedAt),
        ),
      )
      .returning({ at: recoveryCodes.usedAt });
    if (used.length === 0) return null;
    await mailAccountChange(tx, by, 'recoveryCodeUsed');
    return 'recovery-code';
  });
}
