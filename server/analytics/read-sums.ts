import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import type { DaySums } from '#domain/analytics/rules.ts';
import type { AccountId, PlaybookId, RoomId } from '#domain/ids.ts';
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

/** Whose calls are summed; null for any. */
export interface SummedCalls {
  rooms: readonly RoomId[] | null;
  playbookId: PlaybookId | null;
  agentId: AccountId | null;
}
export const summedCalls = (filter: AnalyticsFilter): SummedCalls => ({
  rooms: filter.roomId ? [filter.roomId] : null,
  playbookId: filter.playbookId ?? null,
  agentId: filter.agentId ?? null,
});

/** What figures are filtered by, with the bit of each column in `analytics_days.grain`. */
const dimensions = [
  { value: 'rooms', column: 'room_id', bit: 1, matches: (n: number) => `= any ($${n}::uuid[])` },
  { value: 'playbookId', column: 'playbook_id', bit: 2, matches: (n: number) => `= $${n}` },
  { value: 'agentId', column: 'agent_id', bit: 4, matches: (n: number) => `= $${n}` },
] as const;

/**
 * Reads sums of the days that `isShown` says, by what `group` makes of the day: those that were folded, those that
 * are not yet, and while an older organization's calls are not counted, the calls themselves. The day of the sum
 * of all days is `-infinity`. $1 is the organization; $2 to $4 are the values of the dimensions, or null.
 */
function sumsOf(
  name: string,
  grain: number,
  isShown: (day: string) => string,
  group: string,
): Statement {
  const ofGrain = dimensions.map(({ column, bit, matches }, index) =>
    grain & bit ? `${column} ${matches(index + 2)}` : `${column} is null`,
  );
  const ofRow = dimensions.map(
    ({ column, matches }, index) =>
      `($${index + 2}${index === 0 ? '::uuid[]' : '::uuid'} is null or ${column} ${matches(index + 2)})`,
  );
  const isCounted = '(select calls_counted_at is not null from organizations where id = $1)';
  const onItsDayAndAll = "cross join lateral (values (day), ('-infinity'::date)) on_days (on_day)";
  return {
    name: `${name}_${grain}`,
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
      select ${group} as date, ${totals} from shown group by 1`,
  };
}

const eachGrain = (make: (grain: number) => Statement) =>
  Array.from({ length: 2 ** dimensions.length }, (_, grain) => make(grain));
const text = (day: string) => `to_char(${day}, 'YYYY-MM-DD')`;
const sinceDay = eachGrain((grain) =>
  sumsOf(
    'analytics_sums',
    grain,
    (day) => `(${day} = '-infinity' or ${day} >= $5)`,
    `case when not isfinite(day) then null when day < $6::date then 'before' else ${text('day')} end`,
  ),
);
const ofPeriod = eachGrain((grain) =>
  sumsOf(
    'analytics_period',
    grain,
    (day) => `${day} between $5::date and $6::date`,
    `case when day < $7::date then 'before' when day < $8::date then 'earlier' else ${text('day')} end`,
  ),
);
const ofAll = eachGrain((grain) =>
  sumsOf('analytics_total', grain, (day) => `${day} between $5::date and $6::date`, 'null::text'),
);

function read<Row extends object>(
  tenant: Tenant,
  statements: readonly Statement[],
  calls: SummedCalls,
  days: readonly string[],
): Promise<Row[]> {
  const given = dimensions.map(({ value }) => calls[value]);
  const grain = dimensions.reduce((all, { bit }, index) => (given[index] ? all | bit : all), 0);
  // There is a statement for each sum of the bits.
  const statement = statements[grain] as Statement;
  const values = [tenant.orgId, ...given, ...days];
  return tenant.sharedRead([statement.name, ...values], ({ run }) => run<Row>(statement, values));
}

/** Returns the sums of each day since `daily` that has calls, of those from `before` until then, and of all days. */
export const sumsSince = (
  tenant: Tenant,
  calls: SummedCalls,
  days: { before: string; daily: string },
) => read<DaySums>(tenant, sinceDay, calls, [days.before, days.daily]);

/**
 * Returns the sums of the days from `before` to `to`: each since `daily`, and as one of those before it, `earlier`,
 * and of those before `from`, `before`.
 */
export const sumsOfPeriod = (
  tenant: Tenant,
  calls: SummedCalls,
  days: { before: string; from: string; daily: string; to: string },
) => read<DaySums>(tenant, ofPeriod, calls, [days.before, days.to, days.from, days.daily]);

/** Returns the sums of all days of the period, or of all; undefined without any calls. */
export async function totalSums(
  tenant: Tenant,
  calls: SummedCalls,
  { from, to }: Pick<AnalyticsFilter, 'from' | 'to'>,
): Promise<DaySums | undefined> {
  const all = '-infinity';
  const days = from || to ? [from ?? '0001-01-01', to ?? 'infinity'] : [all, all];
  const [total] = await read<DaySums>(tenant, ofAll, calls, days);
  return total;
}
