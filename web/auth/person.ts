import type { User } from '#domain/auth/contract.ts';
import { t } from '#web/platform/texts.ts';

type Named = Pick<User, 'firstName' | 'lastName' | 'email'>;

/** Initials of first and last name, else the email's first letter, else 'U' (spec section 2, App shell). */
export function initialsOf({ firstName, lastName, email }: Named): string {
  const initials = [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('');
  return (initials || [...email][0] || 'U').toUpperCase();
}

export function nameOf({ firstName, lastName, email }: Named): string {
  return `${firstName} ${lastName}`.trim() || email || t('shell.user');
}

/** Initials of a name in one string. */
export function initialsOfName(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return (
    ends
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || 'U'
  );
}
