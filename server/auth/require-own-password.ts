import type { FastifyRequest } from 'fastify';
import { invalid } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Services } from '#server/services.ts';
import { countSignInAttempt } from './failed-attempts.ts';
import { passwordMatches } from './password.ts';
import { noteFailedSignIn } from './sign-in.ts';

interface Comparing {
  user: { id: AccountId; email: string };
  /** Null for an account without a password. */
  hash: string | null;
  given: string;
  /** Of the request, for the error. */
  field: string;
}

/**
 * Requires the password of a signed-in person. A wrong one counts like one of a sign-in, because a session that was
 * taken over must not guess it.
 * @throws DomainError 400 `wrong_password`, 429
 */
export async function requireOwnPassword(
  services: Services,
  request: FastifyRequest,
  { user, hash, given, field }: Comparing,
): Promise<void> {
  const { id, email } = user;
  const tried = await countSignInAttempt(services, request, 'password', { key: email, email });
  if (!(await passwordMatches(hash, given, id))) {
    const how = { method: 'password', reason: 'wrong_password' } as const;
    await noteFailedSignIn(services, request, id, how);
    throw invalid('wrong_password', 'This isn’t your current password', field);
  }
  await tried.succeeded();
}
