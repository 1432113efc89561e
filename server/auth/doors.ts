import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';

/** Whether an organization's own sign-on or directory may bring people who have no account yet. */
export const takesNewAccounts = (config: Config) => config.SIGNUP !== 'closed';

/**
 * Who may get an account that is not there yet (SIGNUP): with `open` anybody; with `invite` those who
 * are invited or come from their organization's own sign-on or directory; with `closed` nobody.
 * @throws DomainError 403
 */
export function refuseNewAccount(config: Config, by: 'registering' | 'invitation') {
  if (config.SIGNUP === 'open') return;
  if (config.SIGNUP === 'invite') {
    if (by !== 'registering') return;
    throw new DomainError(
      'forbidden',
      'signup_by_invitation',
      'New accounts are made by invitation here. Ask your admin for one.',
    );
  }
  throw new DomainError(
    'forbidden',
    'signup_closed',
    'No new accounts are made here. Ask whoever runs this installation.',
  );
}
