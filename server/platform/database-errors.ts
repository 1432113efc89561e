import { z } from 'zod';
import { apiTokenRefused } from '#domain/api/refusals.ts';
import { DomainError, noOrganization, notSignedIn, roleForbids } from '#domain/errors.ts';
import { tokenRefused } from '#domain/scim/error.ts';
import { twoFactorRequired } from './required-factors.ts';

const databaseError = z.object({ code: z.string(), constraint: z.string().optional() });

/** Drizzle wraps PostgreSQL's error as the cause. */
function said(error: unknown) {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const parsed = databaseError.safeParse(inner);
  return parsed.success ? parsed.data : undefined;
}

/** SQLSTATE 23505 for this constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const found = said(error);
  return found?.code === '23505' && found.constraint === constraint;
}

/** SQLSTATE 23503: a row that this row references does not exist, or belongs to another organization. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const found = said(error);
  return found?.code === '23503' && found.constraint === constraint;
}

/** SQLSTATE 55P03 and 40P01: another transaction holds a lock for longer than this one waits. */
export const isLockRefused = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(said(error)?.code ?? '');

/** SQLSTATE 57014: the statement exceeded its time limit. */
export const isTimedOut = (error: unknown): boolean => said(error)?.code === '57014';

/** SQLSTATE 53100. */
export const isDiskFull = (error: unknown): boolean => said(error)?.code === '53100';

/**
 * Returns the error to answer where PostgreSQL ended work that took too long (57014, 25P03), waited
 * too long for a lock (55P03), or was in a deadlock (40P01). None of that work was stored.
 */
export function asBusy(error: unknown): DomainError | undefined {
  switch (said(error)?.code) {
    case '57014':
    case '25P03':
      return new DomainError(
        'unavailable',
        'database_busy',
        'This took too long, so nothing was saved. Please try again in a moment.',
        { retryAfterSeconds: 10 },
      );
    case '55P03':
    case '40P01':
      return new DomainError(
        'conflict',
        'changed_elsewhere',
        'Another change is still in progress. Please try again in a moment.',
        { retryAfterSeconds: 10 },
      );
    default:
      return undefined;
  }
}

/**
 * Returns the error to answer where an authority ended before the commit, by the codes of migrations
 * 0027, 0063, and 0086: a DomainError for a session or an API token, a ScimError for a token of a directory.
 */
export function asLostAuthority(error: unknown): Error | undefined {
  switch (said(error)?.code) {
    case 'RA001':
      return notSignedIn();
    case 'RA002':
      return noOrganization();
    case 'RA003':
      return roleForbids();
    case 'RA004':
      return tokenRefused();
    case 'RA005':
      return apiTokenRefused();
    case 'RA006':
      return twoFactorRequired();
    default:
      return undefined;
  }
}
