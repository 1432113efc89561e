import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { OrgId } from '#domain/ids.ts';
import { eachApart } from './each-apart.ts';

/** Organizations that a round waits for at the same time. */
const organizationsAtOnce = 4;
const patienceMs = 1_000;

/**
 * For a job that runs every few seconds: create it once, and call it each round in place of `eachApart`.
 * The items of one organization are handled one after the other, organizations side by side. A round
 * waits for an organization no longer than a second: statements of one that has used up its share of
 * connections wait for seconds each. Its current item continues in the background, the others are left
 * for a later round, and no round starts with the organization before that item is done.
 * @returns `eachApart` in rounds; its count is of what was done by the end of the round
 */
export function organizationRounds(): typeof eachApart {
  const working = new Set<OrgId>();
  return async (log, all, work, failed) => {
    let done = 0;
    const workFor = async (orgId: OrgId, items: typeof all) => {
      const endsAt = performance.now() + patienceMs;
      working.add(orgId);
      for (const item of items) {
        const count = await eachApart(log, [item], work, failed);
        done += count;
        if (performance.now() >= endsAt) break;
      }
      working.delete(orgId);
    };
    const organizations = [...Map.groupBy(all, ({ orgId }) => orgId)].filter(
      ([orgId]) => !working.has(orgId),
    );
    await pMap(
      organizations,
      ([orgId, items]) =>
        Promise.race([workFor(orgId, items), sleep(patienceMs, undefined, { ref: false })]),
      { concurrency: organizationsAtOnce },
    );
    return done;
  };
}
