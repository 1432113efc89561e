import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';
import { isLockRefused, isTimedOut } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { overruleLocksAtLast } from '#server/platform/overrule-locks.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { lockAccount } from './lock-account.ts';
import { mailAccount } from './mail-account.ts';
import { mailAccountChange } from './mail-account-change.ts';
import { resetEmail } from './reset-email.ts';
import { endSessionsOf } from './sessions.ts';
import { findUser } from './store.ts';
import { lockUnverified, removeCredentials } from './verify-address.ts';
import { type Verifying, verifyAsOwner } from './verify-as-owner.ts';
import { writeAsAccount } from './write-as-account.ts';

const resetId = z.uuid();

// Waits for a concurrent change of the address, and then finds no account by the former one. Otherwise the
// link would go to the former address and verify the new one.
const accountByEmail: Statement = {
  name: 'account_by_email',
  text: 'select id, first_name, language from accounts where email = $1 for no key update',
};
// A new request, or a new password, supersedes earlier links.
const supersede: Statement = {
  name: 'supersede_resets',
  text: 'update password_resets set used_at = now() where account_id = $1 and used_at is null',
};
const insertReset: Statement = {
  name: 'insert_reset',
  text: `insert into password_resets (id, account_id, token_hash, mailed, expires_at)
    values ($1, $2, $3, $4, now() + interval '1 hour')`,
};
const useReset: Statement = {
  name: 'use_reset',
  text: `update password_resets set used_at = now()
    where token_hash = $1 and used_at is null and expires_at > now() returning mailed`,
};
const knownReset: Statement = {
  name: 'known_reset',
  text: 'select account_id from password_resets where token_hash = $1',
};
/** How long a used or expired link is still told apart from an unknown one. */
const keptDays = 30;
const forgetExpired: Statement = {
  name: 'forget_resets',
  text: 'delete from password_resets where expires_at < $1',
};
const setPassword: Statement = {
  name: 'set_password',
  text: 'update accounts set password_hash = $2 where id = $1',
};

/** The caller does not wait, so it cannot ask again where the account was locked for too long. */
const mostTries = 3;

interface AccountRow {
  id: AccountId;
  first_name: string;
  language: Language | null;
}

/**
 * Mails a reset link to the account of this address, if there is one. The caller's answer must be the same
 * either way.
 * @param mailed whether mail leaves the machine; only then does the link verify the address
 */
export async function requestReset(
  database: Database,
  email: string,
  publicUrl: string,
  mailed: boolean,
): Promise<void> {
  const request = async (tx: Connection) => {
    const [account] = await tx.run<AccountRow>(accountByEmail, [email]);
    if (!account) return;
    const url = await insertResetLink(tx, account.id, publicUrl, { mailed });
    const content = resetEmail(account.language ?? 'en', account.first_name, url);
    await mailAccount(tx, { id: account.id, email }, 'passwordLink', content);
  };
  // It overrules no locks, because anyone may ask for a mail to any address.
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction('outside', request);
    } catch (error) {
      if (tries === mostTries || !(isLockRefused(error) || isTimedOut(error))) throw error;
    }
  }
}

/**
 * Returns a new reset link for an account, and invalidates the previous one.
 * @param link set `mailed` if only the mailbox of the address receives the link
 */
export async function insertResetLink(
  tx: Pick<Connection, 'run'>,
  account: AccountId,
  publicUrl: string,
  { mailed }: { mailed: boolean },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await endResets(tx, account);
  await tx.run(insertReset, [newId(resetId), account, hashToken(token), mailed]);
  return `${publicUrl}/reset-password/${token}`;
}

/** Returns a reset link for the operator to hand over. It does not verify the address (`resetPassword`). */
export const newResetLink = (database: Database, account: AccountId, publicUrl: string) =>
  database.transaction('outside', (tx) =>
    insertResetLink(tx, account, publicUrl, { mailed: false }),
  );

/**
 * Sets the password by a reset link, once, and ends every session of the account. A mailed link also verifies
 * the address. The first verification removes all factors and passkeys, and ends a membership that came by a
 * copied link. A link that was handed over proves no address, but removes the factors and passkeys of an
 * account that is not verified, too: others may have set them up.
 * @returns the account's address
 * @throws DomainError 404 for an unknown link, 410 for one that was used or has expired
 */
export async function resetPassword(
  database: Database,
  token: string,
  passwordHash: string,
  { address, ...verifying }: Verifying & { address: string },
): Promise<string> {
  const { publicUrl } = verifying;
  const hash = hashToken(token);
  const [known] = await database.connection('outside', ({ run }) =>
    run<{ account_id: AccountId }>(knownReset, [hash]),
  );
  const user = known && (await findUser(database, known.account_id));
  if (!user) throw notFound();
  const self = { user, address, session: null };
  await writeAsAccount(database, self, { action: 'PASSWORD_RESET' }, async (tx, here) => {
    // Whoever else uses the account must not keep its owner out.
    await overruleLocksAtLast(database, tx, () => lockAccount(tx, user.id));
    const [used] = await tx.run<{ mailed: boolean }>(useReset, [hash]);
    if (!used) {
      throw new DomainError(
        'gone',
        'reset_link_used',
        'This link was already used or has expired. Request a new one on the sign-in page.',
      );
    }
    if (used.mailed) await verifyAsOwner({ tx, here }, user, null, verifying);
    else if (await lockUnverified(tx, user.id)) await removeCredentials(tx, user.id);
    await tx.run(setPassword, [user.id, passwordHash]);
    await endSessionsOf(tx, user.id);
    await mailAccountChange(tx, { user, address, publicUrl }, 'passwordReset');
  });
  return user.email;
}

/** Ends the links of an account that were not used: they are of the time before its password. */
export async function endResets(tx: Pick<Connection, 'run'>, account: AccountId): Promise<void> {
  await tx.run(supersede, [account]);
}

/** Deletes links that expired 30 days ago. */
export async function forgetResets(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  await database.connection('outside', ({ run }) => run(forgetExpired, [before]));
}
