import { type CallId, callId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const callsAtOnce = 1_000;

const nextCalls: Statement = {
  name: 'calls_to_count',
  text: `select id from calls where org_id = $1 and id > $2 and ended_at is not null
    order by id limit ${callsAtOnce}`,
};
const countThem: Statement = { name: 'count_calls', text: 'select count_calls($1) as id' };
const firstId = callId.parse('00000000-0000-0000-0000-000000000000');

/**
 * Counts the completed calls of an organization, a batch in each transaction, which changes nothing for those
 * that are counted correctly.
 * @param counted is told the number of calls so far, after each batch
 * @returns the calls that were not counted correctly, and the number of all
 */
export async function countCalls(
  tenant: Tenant,
  counted: (calls: number) => void = () => {},
): Promise<{ calls: number; corrected: CallId[] }> {
  let calls = 0;
  const corrected: CallId[] = [];
  let last: CallId | undefined = firstId;
  while (last) {
    const after: CallId = last;
    const batch = await tenant.transaction(async ({ run }) => {
      const rows = await run<{ id: CallId }>(nextCalls, [tenant.orgId, after]);
      const ids = rows.map(({ id }) => id);
      return { ids, corrected: await run<{ id: CallId }>(countThem, [ids]) };
    });
    corrected.push(...batch.corrected.map(({ id }) => id));
    calls += batch.ids.length;
    counted(calls);
    last = batch.ids.at(-1);
  }
  return { calls, corrected };
}

const isCounted: Statement = {
  name: 'calls_are_counted',
  text: 'update organizations set calls_counted_at = now() where id = $1',
};

/** Counts the calls of an organization from before its figures were kept as sums. */
export async function countOlderCalls(tenant: Tenant): Promise<void> {
  await countCalls(tenant);
  await foldAnalytics(tenant);
  await tenant.connection(({ run }) => run(isCounted, [tenant.orgId]));
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
 * are counted again first: a tick or score that another transaction stored while the call was ending saw it as running, and the
 * end did not see the tick.
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
