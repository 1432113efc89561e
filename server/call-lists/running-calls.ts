import type { CallFilter } from '#domain/calls/filter.ts';
import type { CallId } from '#domain/ids.ts';
import type { SummedCalls } from '#server/analytics/read-sums.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** More run at the same time in no organization: a room has one. */
const mostRunning = 1_000;
const running: Statement = {
  name: 'running_calls_of_filter',
  text: `select id, to_char(day, 'YYYY-MM-DD') as key from (
      select id, (started_at at time zone 'UTC')::date as day from calls
      where org_id = $1 and ended_at is null
        and ($2::uuid[] is null or room_id = any ($2)) and ($3::uuid is null or playbook_id = $3)
        and ($4::uuid is null or started_by = $4)
      limit ${mostRunning}
    ) found
    where ($5::date is null or day >= $5) and ($6::date is null or day <= $6)`,
};

/** Returns the running calls that the filter names, each with its day (UTC). */
export function runningCalls(
  tenant: Tenant,
  { rooms, playbookId, agentId }: SummedCalls,
  { from, to }: Pick<CallFilter, 'from' | 'to'>,
): Promise<{ id: CallId; key: string }[]> {
  const values = [tenant.orgId, rooms, playbookId, agentId, from ?? null, to ?? null];
  return tenant.connection(({ run }) => run<{ id: CallId; key: string }>(running, values));
}
