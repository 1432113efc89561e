import type { OrgId } from '#domain/ids.ts';
import type { Logger } from './log.ts';

/**
 * Does a job's work for each in turn. One that fails is logged, and keeps none of the others waiting:
 * they are of other organizations.
 * @param failed what the log says of one that failed
 * @returns how many did not fail
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
