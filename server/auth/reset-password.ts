import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mailAccount } from './mail-account.ts';
import { resetLetter } from './reset-letter.ts';

const resetId = z.uuid();
const hashOf = (token: string) => createHash('sha256').update(token).digest();

const accountByEmail: Statement = {
  name: 'account_by_email',
  text: 'select id, first_name, language from accounts where email = $1',
};
// Asking again supersedes what was asked before: one link works, the newest.
const supersede: Statement = {
  name: 'supersede_resets',
  text: 'update password_resets set used_at = now() where account_id = $1 and used_at is null',
};
const insertReset: Statement = {
  name: 'insert_reset',
  text: `insert into password_resets (id, account_id, token_hash, expires_at)
    values ($1, $2, $3, now() + interval '1 hour')`,
};
const useReset: Statement = {
  name: 'use_reset',
  text: `update password_resets set used_at = now()
    where token_hash = $1 and used_at is null and expires_at > now() returning account_id`,
};
const knownReset: Statement = {
  name: 'known_reset',
  text: 'select 1 from password_resets where token_hash = $1',
};
const setPassword: Statement = {
  name: 'set_password',
  text: 'update accounts set password_hash = $2 where id = $1',
};
const endSessions: Statement = {
  name: 'end_sessions_of_account',
  text: 'delete from sessions where account_id = $1',
};

interface AccountRow {
  id: AccountId;
  first_name: string;
  language: Language | null;
}

/** Mails a link to the account of this address, where there is one; says nothing either way. */
export async function requestReset(
  database: Database,
  email: string,
  publicUrl: string,
): Promise<void> {
  await database.write('outside', async (tx) => {
    const [account] = await tx.run<AccountRow>(accountByEmail, [email]);
    if (!account) return;
    const token = randomBytes(32).toString('base64url');
    await tx.run(supersede, [account.id]);
    await tx.run(insertReset, [newId(resetId), account.id, hashOf(token)]);
    const url = `${publicUrl}/reset-password/${token}`;
    const letter = resetLetter(account.language ?? 'en', account.first_name, url);
    await mailAccount(tx, { id: account.id, email }, letter);
  });
}

/**
 * Sets the password by a reset link, once, and ends every session of the account.
 * @throws DomainError 404 for a link that we did not make, 410 for one that was used or has expired
 */
export async function resetPassword(
  database: Database,
  token: string,
  passwordHash: string,
): Promise<void> {
  await database.write('outside', async (tx) => {
    const [used] = await tx.run<{ account_id: AccountId }>(useReset, [hashOf(token)]);
    if (!used) {
      const [known] = await tx.run(knownReset, [hashOf(token)]);
      if (!known) throw notFound();
      throw new DomainError(
        'gone',
        'reset_link_used',
        'This link was used or has expired. Ask for a new one on the sign-in page.',
      );
    }
    await tx.run(setPassword, [used.account_id, passwordHash]);
    await tx.run(endSessions, [used.account_id]);
  });
}
