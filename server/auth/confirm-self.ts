import { DomainError } from '#domain/errors.ts';
import type { CurrentSession } from './sessions.ts';

/** How long a re-authentication counts. */
export const freshMinutes = 10;

/** Returns whether the session re-authenticated within the last `freshMinutes`. */
export const isFresh = ({ confirmedAt }: Pick<CurrentSession, 'confirmedAt'>): boolean =>
  Date.now() - confirmedAt.getTime() < freshMinutes * 60_000;

/**
 * Requires recent re-authentication, so that an unattended open page cannot change how its owner signs in.
 * @throws DomainError 403 `confirmation_needed`: ask for the password (POST /api/user/confirm)
 */
export function refuseStale(session: CurrentSession): void {
  if (isFresh(session)) return;
  throw new DomainError(
    'forbidden',
    'confirmation_needed',
    'Please confirm it’s you: enter your password, or sign out and in again.',
  );
}
