import type { CallId } from '#domain/ids.ts';
import { inBatchesOfCalls } from '#server/calls/call-batches.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const callsAtOnce = 1_000;

const countThem: Statement = { name: 'count_calls', text: 'select count_calls($1) as id' };

/**
 * Counts the completed calls of an organization, a batch in each transaction, which changes nothing for those
 * that are counted correctly.
 * @param counted is told the number of calls so far, and those of the last batch that were not counted correctly
 * @returns the number of calls
 */
export async function countCalls(
  tenant: Tenant,
  counted: (calls: number, corrected: CallId[]) => void = () => {},
): Promise<number> {
  let calls = 0;
  await inBatchesOfCalls(
    tenant,
    { endedBefore: 'infinity', atOnce: callsAtOnce },
    async ({ run }, ids) => {
      const corrected = await run<{ id: CallId }>(countThem, [ids]);
      calls += ids.length;
      counted(
        calls,
        corrected.map(({ id }) => id),
      );
    },
  );
  return calls;
}

/** From now on, analytics reads the sums of $1. */
export const callsAreCounted: Statement = {
  name: 'calls_are_counted',
  text: `update organizations set calls_counted_at = now()
    where id = $1 and calls_counted_at is null returning id`,
};

/** Counts the calls of an organization from before its figures were kept as sums. */
export async function countOlderCalls(tenant: Tenant): Promise<void> {
  await countCalls(tenant);
  await foldAnalytics(tenant);
  await tenant.connection(({ run }) => run(callsAreCounted, [tenant.orgId]));
}

const recent: Statement = {
  name: 'recount_recent_calls',
  text: `select count_calls(array(
    select call_id from counted_calls
    where org_id = $1 and counted_at > now() - interval '3 minutes'
    order by counted_at desc limit ${callsAtOnce}))`,
};
const fold: Statement = {
  name: 'fold_analytics',
  text: 'select fold_analytics($1) as folded',
};
const changesAtOnce = 5_000;

/**
 * Adds what has changed to the sums of days. Calls that were counted in the last minutes (the newest thousand)
 * are counted again first: a tick or score that another transaction stored while the call was ending saw it as
 * running, and the end did not see the tick.
 */
export async function foldAnalytics(tenant: Tenant): Promise<void> {
  await tenant.connection(({ run }) => run(recent, [tenant.orgId]));
  let folded = changesAtOnce;
  while (folded === changesAtOnce) {
    const [row] = await tenant.connection(({ run }) =>
      run<{ folded: number }>(fold, [changesAtOnce]),
    );
    folded = row?.folded ?? 0;
  }
}
