import type { SignedInUser } from '#domain/auth/contract.ts';
import { DomainError } from '#domain/errors.ts';
import { networkKey } from '#server/platform/address-key.ts';
import type { Services } from '#server/services.ts';
import { countSignInAttempt } from './failed-attempts.ts';
import { passwordMatches } from './password.ts';
import { setPending } from './pending-sign-in.ts';
import { type Arrival, noteFailedSignIn, signIn } from './sign-in.ts';
import { findAccountByEmail } from './store.ts';

const method = 'password' as const;

/**
 * Performs the first step of signing in, which is also the last for an account without a second factor.
 * @throws DomainError 401 `wrong_credentials`, or `second_factor_required` with a cookie that is valid only
 * for the second step; 429 after too many attempts
 */
export async function signInWithPassword(
  services: Services,
  arrival: Arrival,
  given: { email: string; password: string },
): Promise<SignedInUser> {
  const { request, reply } = arrival;
  const { email } = given;
  const tried = await countSignInAttempt(services, request, 'password', { key: email, email });
  const account = await findAccountByEmail(services.database, email);
  const stored = account?.passwordHash ?? null;
  const matches = await passwordMatches(stored, given.password, networkKey(request.ip));
  if (!account || !matches) {
    const reason = 'wrong_credentials';
    // Not awaited, so that the response time does not reveal whether there is an account to record it on.
    noteFailedSignIn(services, request, account?.id ?? null, { method, reason }).catch((error) =>
      services.log.error({ err: error }, 'a failed sign-in could not be noted'),
    );
    throw new DomainError('unauthorized', reason, 'Invalid email or password');
  }
  await tried.succeeded();
  if (account.hasSecondFactor) {
    setPending(services.secrets, request, reply, account);
    throw new DomainError(
      'unauthorized',
      'second_factor_required',
      'Enter the code from your authenticator app, or a recovery code.',
    );
  }
  return signIn(services, arrival, account.id, { method, twoFactors: false }, account);
}
