import { type CallId, leastId } from '#domain/ids.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const endedCalls: Statement = {
  name: 'ended_calls',
  text: `select id from calls where org_id = $1 and id > $2 and ended_at < $3
    order by id limit $4`,
};

/**
 * Does something with all calls of the organization that ended before a time, in the order of their ids, and a
 * batch in each transaction: locks are short, and what is done stays done when the next batch fails.
 * @param which.atOnce the most calls of a batch
 * @param work is not called without calls. It must bear a second run for the same calls
 */
export async function inBatchesOfCalls(
  tenant: Tenant,
  { endedBefore, atOnce }: { endedBefore: Date | 'infinity'; atOnce: number },
  work: (tx: TenantConnection, ids: CallId[]) => Promise<void>,
): Promise<void> {
  let last: string | undefined = leastId;
  while (last !== undefined) {
    const after: string = last;
    last = await tenant.transaction(async (tx) => {
      const values = [tenant.orgId, after, endedBefore, atOnce];
      const calls = await tx.run<{ id: CallId }>(endedCalls, values);
      const ids = calls.map(({ id }) => id);
      if (ids.length > 0) await work(tx, ids);
      return ids.length < atOnce ? undefined : ids.at(-1);
    });
  }
}
