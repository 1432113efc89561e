import { forgetAttemptsOn } from '#server/auth/failed-attempts.ts';
import type { Database } from '#server/platform/database.ts';
import { findAccount } from './find-account.ts';

/** Clears the waits of an account whose password was tried too often. */
export async function unlock(database: Database, given: string): Promise<string> {
  const account = await findAccount(database, given);
  await forgetAttemptsOn(database, account);
  return `${account.email} can sign in again without waiting.`;
}
