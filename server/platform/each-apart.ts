import type { OrgId } from '#domain/ids.ts';
import type { Logger } from './log.ts';

/**
 * Does a job's work for each item in turn. A failure is logged and does not stop the others, which
 * belong to other organizations.
 * @param failed the log message of a failure
 * @returns the number of items that did not fail
 */
export async function eachApart<T extends object & { orgId: OrgId }>(
  log: Logger,
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
  failed: string,
): Promise<number> {
  let done = 0;
  for (const one of all) {
    try {
      await work(one);
      done += 1;
    } catch (error) {
      const about: object = { ...one, err: error };
      log.error(about, failed);
    }
  }
  return done;
}
