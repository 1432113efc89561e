import type { OrgId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { FairQueue, tooManyWaiting } from '#server/platform/fair-queue.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';

/** Members whose rights or sessions the changes of an organization go through: those of a few hundred people never wait. */
const bounds = { burst: 20_000, perSecond: 1_000 };
const patienceMs = 15_000;

const turns = new PacedTurns(bounds);
const queue = new FairQueue({
  atOnce: Number.POSITIVE_INFINITY,
  perKey: 1,
  mostWaiting: 200,
});

/**
 * Runs a change that may concern every member of the organization, such as a role for a group: one at a time, and the
 * next one when the organization may change as many again as the ones before have (`noteChangedMembers`).
 * @throws DomainError 429
 */
export const changingMembers = <T>({ orgId }: Tenant, change: () => Promise<T>): Promise<T> =>
  queue.run(orgId, async () => {
    if (!(await turns.turn(orgId, '', AbortSignal.timeout(patienceMs)))) throw tooManyWaiting();
    return change();
  });

/** Charges the organization for members that a change went through. */
export const noteChangedMembers = (org: OrgId, members: number): void => turns.spend(org, members);
