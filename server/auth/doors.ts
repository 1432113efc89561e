import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';

/** Returns whether single sign-on or a directory may create accounts for people who have none. */
export const takesNewAccounts = (config: Config) => config.SIGNUP !== 'closed';

/**
 * Enforces SIGNUP for new accounts: `open` allows everyone, `invite` allows people who are invited or come
 * from their organization's single sign-on or directory, `closed` allows no one.
 * @throws DomainError 403
 */
export function refuseNewAccount(config: Config, by: 'registering' | 'invitation') {
  if (config.SIGNUP === 'open') return;
  if (config.SIGNUP === 'invite') {
    if (by !== 'registering') return;
    throw new DomainError(
      'forbidden',
      'signup_by_invitation',
      'New accounts are by invitation only. Ask your admin for one.',
    );
  }
  throw new DomainError('forbidden', 'signup_closed', 'Sign-up is closed. Ask your admin.');
}
