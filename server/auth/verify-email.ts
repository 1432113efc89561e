import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { overruleLocksAtLast } from '#server/platform/overrule-locks.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { lockAccount } from './lock-account.ts';
import { mailAccount } from './mail-account.ts';
import { insertResetLink } from './reset-password.ts';
import type { CurrentSession } from './sessions.ts';
import { findUser } from './store.ts';
import { verificationEmail } from './verification-email.ts';
import { type Verifying, verifyAsOwner } from './verify-as-owner.ts';
import { type AccountConnection, writeAsAccount } from './write-as-account.ts';

const verificationId = z.uuid();

const insertVerification: Statement = {
  name: 'insert_email_verification',
  text: `insert into email_verifications (id, account_id, email, token_hash, expires_at)
    values ($1, $2, $3, $4, now() + interval '24 hours')`,
};
const findVerification: Statement = {
  name: 'find_email_verification',
  text: `select v.account_id, v.email,
      v.expires_at > now() and v.email = a.email
        and (v.used_at is null or a.email_verified_at is not null) as good,
      v.used_at is not null as used, a.email_verified_at is not null as verified
    from email_verifications v join accounts a on a.id = v.account_id
    where v.token_hash = $1`,
};
const useVerification: Statement = {
  name: 'use_email_verification',
  text: `update email_verifications v set used_at = now()
    from accounts a where a.id = v.account_id and a.email = v.email
      and v.token_hash = $1 and v.used_at is null and v.expires_at > now()
    returning 1`,
};

interface Verification {
  account_id: AccountId;
  email: string;
  /** Unexpired, mailed to the account's current address, and not used before the address moved. */
  good: boolean;
  used: boolean;
  verified: boolean;
}

/** An account whose address is to be verified. */
export interface ToVerify {
  id: AccountId;
  email: string;
  firstName: string;
  language: Language | null;
}

/**
 * Mails a link that verifies the address, in the transaction that makes the account: without a link, an account counts
 * as one that was not asked to verify its address. Earlier links keep working until they expire.
 */
export async function askToVerify(
  tx: AccountConnection,
  user: ToVerify,
  publicUrl: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const values = [newId(verificationId), user.id, user.email, hashToken(token)];
  await tx.run(insertVerification, values);
  const url = `${publicUrl}/verify-email/${token}`;
  const content = verificationEmail(user.language ?? 'en', user.firstName, url);
  await mailAccount(tx, user, 'verificationLink', content);
}

/** Mails another link, as `askToVerify`. */
export const mailVerification = (
  database: Database,
  user: ToVerify,
  publicUrl: string,
): Promise<void> => database.transaction('outside', (tx) => askToVerify(tx, user, publicUrl));

/**
 * Returns the verification that a link belongs to.
 * @throws DomainError 404 for an unknown link, 410 for an expired one
 */
export async function followVerification(database: Database, token: string): Promise<Verification> {
  const [found] = await database.connection('outside', ({ run }) =>
    run<Verification>(findVerification, [hashToken(token)]),
  );
  if (!found) throw notFound();
  if (found.good) return found;
  throw over();
}

const over = () =>
  new DomainError(
    'gone',
    'verification_over',
    'This link has expired. Sign in and request a new one.',
  );

/**
 * Verifies an address by the link that was mailed to it. A second use of the link changes nothing. A link
 * verifies only the address that it was mailed to.
 * @param request `signedIn` is the session in which the link was followed, of any account; `publicUrl` is the
 * origin of links
 * @returns a link for choosing a new password, if the password was removed (`verifyAddress`)
 * @throws as `followVerification`
 */
export async function verifyEmail(
  database: Database,
  token: string,
  request: Verifying & {
    address: string;
    signedIn: { user: SignedInUser; session: CurrentSession } | null;
  },
): Promise<string | null> {
  const { address, publicUrl, signedIn } = request;
  const found = await followVerification(database, token);
  if (found.used) return null;
  const user = await findUser(database, found.account_id);
  if (!user) throw notFound();
  const own = signedIn?.user.id === user.id ? signedIn.session : null;
  const self = { user, address, session: null };
  return writeAsAccount(database, self, { action: 'EMAIL_VERIFIED' }, async (tx, here) => {
    // Locks the account first, so that a change of its address either waits or is visible here.
    await overruleLocksAtLast(database, tx, () => lockAccount(tx, user.id));
    const used = await tx.run(useVerification, [hashToken(token)]);
    if (used.length === 0) {
      // Two concurrent uses: the other one has verified the address.
      const [again] = await tx.run<Verification & Record<string, unknown>>(findVerification, [
        hashToken(token),
      ]);
      if (again?.good) return null;
      throw over();
    }
    const isFirst = await verifyAsOwner({ tx, here }, user, own, request);
    if (!isFirst || own) return null;
    return insertResetLink(tx, user.id, publicUrl, { mailed: true });
  });
}

/** Refuses actions that reach other people until the address is verified. @throws DomainError 403 */
export function refuseUnverified(user: Pick<SignedInUser, 'mustVerifyEmail'>): void {
  if (!user.mustVerifyEmail) return;
  throw new DomainError(
    'forbidden',
    'email_unverified',
    'Please confirm your email address first with the link we emailed you.',
  );
}
