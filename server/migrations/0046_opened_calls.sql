-- A call counts from the moment when the first person joins. One that was only opened leaves with its last page.
alter table calls
  -- When a page that had not joined connected first, with an engine that reports who joins.
  add column opened_at timestamptz,
  -- Whether the attendances tell who was in the call. The simulated engine reports nobody, and Daily reports
  -- guests by its webhook only.
  add column attendance_known boolean not null default true;

-- As in migration 0040, with the two columns: averages are over completed calls with a guest, and over those whose
-- attendance is not known.
create or replace view call_figures with (security_invoker = true) as
  select c.id as call_id, c.org_id, (c.started_at at time zone 'UTC')::date as day,
    c.room_id, c.playbook_id, c.started_by as agent_id,
    1 as calls,
    averaged.one as averaged,
    averaged.one * c.duration_sec::bigint as duration_sec,
    averaged.one * items.in_all as items,
    averaged.one * items.checked as checked_items,
    case when rating.score is null then 0 else averaged.one end as scores,
    averaged.one * coalesce(rating.score, 0) as score_sum,
    case when rating.score >= 9 then averaged.one else 0 end as promoters,
    case when rating.score between 7 and 8 then averaged.one else 0 end as passives,
    case when rating.score <= 6 then averaged.one else 0 end as detractors
  from calls c
  cross join lateral (
    select case
      when not c.attendance_known or coalesce(bool_or(t.kind = 'guest'), c.opened_at is null) then 1
      else 0 end as one
    from attendances t where t.call_id = c.id
  ) averaged
  cross join lateral (
    select count(*)::integer as in_all, count(i.checked_at)::integer as checked
    from call_checklist_items i where i.call_id = c.id
  ) items
  left join lateral (
    select g.score::integer as score from ratings g
    where g.call_id = c.id and g.kind = 'staff' order by g.updated_at desc, g.id desc limit 1
  ) rating on true
  where c.ended_at is not null;

-- Sets when calls of any organizations were last seen to now, without waiting for those that others change.
create function touch_calls(ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update calls set last_seen_at = now() where id in (
    select id from calls where id = any (ids) and ended_at is null for no key update skip locked
  )
$$;
revoke all on function touch_calls(uuid[]) from public;
