import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mailAccount } from './mail-account.ts';
import { findUser } from './store.ts';
import { verifyLetter } from './verify-letter.ts';
import { writeAsAccount } from './write-as-account.ts';

const verificationId = z.uuid();
const hashOf = (token: string) => createHash('sha256').update(token).digest();

const insertVerification: Statement = {
  name: 'insert_email_verification',
  text: `insert into email_verifications (id, account_id, token_hash, expires_at)
    values ($1, $2, $3, now() + interval '24 hours')`,
};
const findVerification: Statement = {
  name: 'find_email_verification',
  text: `select account_id, expires_at > now() as good from email_verifications where token_hash = $1`,
};
const useVerification: Statement = {
  name: 'use_email_verification',
  text: 'update email_verifications set used_at = now() where token_hash = $1 and used_at is null',
};
const markVerified: Statement = {
  name: 'mark_email_verified',
  text: 'update accounts set email_verified_at = now() where id = $1 and email_verified_at is null',
};

/** Mails a link that proves the address. Earlier links go on working until they expire. */
export async function mailVerification(
  database: Database,
  user: { id: AccountId; email: string; firstName: string; language: Language | null },
  publicUrl: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await database.write('outside', async (tx) => {
    await tx.run(insertVerification, [newId(verificationId), user.id, hashOf(token)]);
    const url = `${publicUrl}/verify-email/${token}`;
    await mailAccount(tx, user, verifyLetter(user.language ?? 'en', user.firstName, url));
  });
}

/**
 * Follows a link. Following it again is no mistake: mail programs open links ahead of their reader.
 * @throws DomainError 404 for a link that we did not make, 410 for one that has expired
 */
export async function verifyEmail(
  database: Database,
  token: string,
  address: string,
): Promise<void> {
  const hash = hashOf(token);
  const [found] = await database.read('outside', ({ run }) =>
    run<{ account_id: AccountId; good: boolean }>(findVerification, [hash]),
  );
  if (!found) throw notFound();
  if (!found.good) {
    throw new DomainError(
      'gone',
      'verification_over',
      'This link has expired. Sign in and have another one sent.',
    );
  }
  const user = await findUser(database, found.account_id);
  if (!user) throw notFound();
  await writeAsAccount(database, { user, address }, { action: 'EMAIL_VERIFIED' }, async (tx) => {
    await tx.run(useVerification, [hash]);
    await tx.run(markVerified, [user.id]);
  });
}

/** What reaches other people waits until the address is proved. @throws DomainError 403 */
export function refuseUnverified(user: SignedInUser): void {
  if (!user.mustVerifyEmail) return;
  throw new DomainError(
    'forbidden',
    'email_unverified',
    'Please confirm your email address first: follow the link that we mailed you.',
  );
}
