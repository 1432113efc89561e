import { DomainError } from '#domain/errors.ts';
import type { CurrentSession } from './sessions.ts';

/** How long a confirmation counts. */
export const freshMinutes = 10;

/** Whether the person proved within the last minutes that it is them. */
export const isFresh = ({ confirmedAt }: Pick<CurrentSession, 'confirmedAt'>): boolean =>
  Date.now() - confirmedAt.getTime() < freshMinutes * 60_000;

/**
 * Changes to how somebody signs in want it proved within the last minutes that it is them, and not
 * somebody at a screen that was left open.
 * @throws DomainError 403 `confirmation_needed`: ask for the password (POST /api/user/confirm)
 */
export function refuseStale(session: CurrentSession): void {
  if (isFresh(session)) return;
  throw new DomainError(
    'forbidden',
    'confirmation_needed',
    'Please confirm that it is you: enter your password, or sign out and in again.',
  );
}
