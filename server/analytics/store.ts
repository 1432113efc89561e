import type { Analytics, AnalyticsFilter } from '#domain/analytics/contract.ts';
import { analyticsOf, type DaySums, shownDays } from '#domain/analytics/rules.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/** The columns of sums, which all tables and the view of migration 0040 have, by their names here. */
const sums: Record<Exclude<keyof DaySums, 'date'>, string> = {
  calls: 'calls',
  averaged: 'averaged',
  durationSec: 'duration_sec',
  items: 'items',
  checkedItems: 'checked_items',
  scores: 'scores',
  scoreSum: 'score_sum',
  promoters: 'promoters',
  passives: 'passives',
  detractors: 'detractors',
};
const columns = Object.values(sums).join(', ');
const totals = Object.entries(sums)
  .map(([name, column]) => `sum(${column})::float8 as "${name}"`)
  .join(', ');

/** What figures are filtered by, with the bit of each column in `analytics_days.grain`. */
const dimensions = [
  { filter: 'roomId', column: 'room_id', bit: 1 },
  { filter: 'playbookId', column: 'playbook_id', bit: 2 },
  { filter: 'agentId', column: 'agent_id', bit: 4 },
] as const;

/**
 * Reads a row for each day since $2 that has calls, and one for all days: the sums that were folded, those
 * that are not yet, and while an older organization's calls are not counted, the calls themselves.
 * $1 is the organization; $3 to $5 are the values of the dimensions, or null.
 */
function sumsOf(grain: number): Statement {
  const ofGrain = dimensions.map(({ column, bit }, index) =>
    grain & bit ? `${column} = $${index + 3}` : `${column} is null`,
  );
  const ofRow = dimensions.map(
    ({ column }, index) => `($${index + 3}::uuid is null or ${column} = $${index + 3})`,
  );
  const isCounted = '(select calls_counted_at is not null from organizations where id = $1)';
  const onItsDayAndAll = "cross join lateral (values (day), ('-infinity'::date)) on_days (on_day)";
  const isShown = (day: string) => `(${day} = '-infinity' or ${day} >= $2)`;
  return {
    name: `analytics_sums_${grain}`,
    text: `with shown as (
        select day, ${columns} from analytics_days
        where ${isCounted} and org_id = $1 and grain = ${grain} and ${ofGrain.join(' and ')}
          and ${isShown('day')}
        union all
        select on_day, ${columns} from analytics_changes ${onItsDayAndAll}
        where ${isCounted} and org_id = $1 and ${ofRow.join(' and ')} and ${isShown('on_day')}
        union all
        select on_day, ${columns} from call_figures ${onItsDayAndAll}
        where not ${isCounted} and org_id = $1 and ${ofRow.join(' and ')} and ${isShown('on_day')}
      )
      select case when isfinite(day) then to_char(day, 'YYYY-MM-DD') end as date, ${totals}
      from shown group by day`,
  };
}
const statements = Array.from({ length: 2 ** dimensions.length }, (_, grain) => sumsOf(grain));

/** Returns the figures of the organization's calls, or of those that the filter names. */
export async function readAnalytics(
  tenant: Tenant,
  filter: AnalyticsFilter,
  now: Date,
): Promise<Analytics> {
  const shown = shownDays(now);
  const given = dimensions.map((dimension) => filter[dimension.filter] ?? null);
  const grain = dimensions.reduce((all, { bit }, index) => (given[index] ? all | bit : all), 0);
  const values = [tenant.orgId, shown.before, ...given];
  const days = await tenant.sharedRead(['analytics', ...values], ({ run }) =>
    // There is a statement for each sum of the bits.
    run<DaySums>(statements[grain] as Statement, values),
  );
  return analyticsOf(days, shown);
}
