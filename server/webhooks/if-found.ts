import { DomainError } from '#domain/errors.ts';

/** Returns what is looked up; null if it was deleted. */
export const ifFound = <T>(looked: Promise<T>): Promise<T | null> =>
  looked.catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  });
