import type { Analytics } from '#domain/analytics/contract.ts';
import { changes, figures, netPromoterScore, type PeriodTotals } from '#domain/analytics/rules.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

// One row per period: 0 is all time, 1 the last 30 days, 2 the 30 before.
const totals: Statement = {
  name: 'analytics_totals',
  text: `with facts as (
      select c.started_at, c.duration_sec, rating.score,
        coalesce(items.total, 0) as items, coalesce(items.checked, 0) as checked
      from calls c
      left join lateral (
        select score from ratings
        where call_id = c.id and kind = 'staff' order by updated_at desc limit 1
      ) rating on true
      left join lateral (
        select count(*) as total, count(checked_at) as checked
        from call_checklist_items where call_id = c.id
      ) items on true
      where c.org_id = $1
    ), periods (period, starts, ends) as (values
      (0, '-infinity'::timestamptz, 'infinity'::timestamptz),
      (1, now() - interval '30 days', 'infinity'::timestamptz),
      (2, now() - interval '60 days', now() - interval '30 days')
    )
    select p.period, count(f.started_at)::integer as calls,
      count(f.duration_sec)::integer as "endedCalls",
      coalesce(sum(f.duration_sec), 0)::float8 as "durationSec",
      coalesce(sum(f.items), 0)::float8 as "checklistItems",
      coalesce(sum(f.checked), 0)::float8 as "checkedItems",
      count(f.score)::integer as scores, coalesce(sum(f.score), 0)::float8 as "scoreSum"
    from periods p
    left join facts f on f.started_at >= p.starts and f.started_at < p.ends
    group by p.period order by p.period`,
};

const scoresByBucket: Statement = {
  name: 'analytics_scores',
  text: `select count(*) filter (where score >= 9)::integer as promoters,
      count(*) filter (where score between 7 and 8)::integer as passives,
      count(*) filter (where score <= 6)::integer as detractors
    from (
      select distinct on (call_id) score from ratings
      where org_id = $1 and kind = 'staff' order by call_id, updated_at desc
    ) newest`,
};

const callsByDay: Statement = {
  name: 'analytics_days',
  text: `select to_char(day, 'YYYY-MM-DD') as date, count(c.id)::integer as calls,
      coalesce(round(avg(c.duration_sec) / 60.0, 1), 0)::float8 as "avgDuration"
    from generate_series(
      date_trunc('day', now() at time zone 'UTC') - interval '29 days',
      date_trunc('day', now() at time zone 'UTC'), interval '1 day') as day
    left join calls c on c.org_id = $1
      and c.started_at >= day at time zone 'UTC'
      and c.started_at < (day + interval '1 day') at time zone 'UTC'
    group by day order by day`,
};

const noScores = { promoters: 0, passives: 0, detractors: 0 };
const nothing: PeriodTotals = {
  calls: 0,
  endedCalls: 0,
  durationSec: 0,
  checklistItems: 0,
  checkedItems: 0,
  scores: 0,
  scoreSum: 0,
};

export async function readAnalytics(tenant: Tenant): Promise<Analytics> {
  const { orgId } = tenant;
  const [[all, last, before], [scores], trends] = await tenant.sharedRead(
    ['analytics'],
    ({ run }) =>
      Promise.all([
        run<PeriodTotals & { period: number }>(totals, [orgId]),
        run<{ promoters: number; passives: number; detractors: number }>(scoresByBucket, [orgId]),
        run<Analytics['trends'][number]>(callsByDay, [orgId]),
      ]),
  );
  const { promoters, passives, detractors } = scores ?? noScores;
  return {
    ...figures(all ?? nothing),
    changes: changes(last ?? nothing, before ?? nothing),
    nps: {
      promoters,
      passives,
      detractors,
      score: netPromoterScore(promoters, passives, detractors),
    },
    trends,
  };
}
