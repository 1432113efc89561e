-- The figures of the dashboard and of analytics, kept as sums, so that reading them costs the same however
-- many calls an organization has (docs/decisions/0020-analytics-rollups.md).
--
-- The same columns of sums in each step:
--   call_figures       view: what each completed call adds to the figures, from the rows themselves
--   counted_calls      the same, as counted last
--   analytics_changes  what a transaction added or took away, not yet part of the days
--   analytics_days     the sums of each day

-- Averages are over completed calls with a guest, and over those whose attendance is not known.
create view call_figures with (security_invoker = true) as
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
    select case when bool_and(t.kind = 'staff') then 0 else 1 end as one
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

create table counted_calls (
  call_id uuid primary key,
  org_id uuid not null,
  -- Of the start, in UTC.
  day date not null,
  room_id uuid not null,
  playbook_id uuid,
  agent_id uuid references accounts (id) on delete set null,
  calls integer not null,
  averaged integer not null,
  duration_sec bigint not null,
  items integer not null,
  checked_items integer not null,
  scores integer not null,
  score_sum integer not null,
  promoters integer not null,
  passives integer not null,
  detractors integer not null,
  counted_at timestamptz not null default now(),
  constraint counted_calls_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
create index counted_calls_recent on counted_calls (counted_at, org_id);
create index counted_calls_of_agent on counted_calls (agent_id) where agent_id is not null;

create table analytics_changes (
  id bigint generated always as identity primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  day date not null,
  room_id uuid not null,
  playbook_id uuid,
  agent_id uuid,
  calls bigint not null,
  averaged bigint not null,
  duration_sec bigint not null,
  items bigint not null,
  checked_items bigint not null,
  scores bigint not null,
  score_sum bigint not null,
  promoters bigint not null,
  passives bigint not null,
  detractors bigint not null
);
create index analytics_changes_of_organization on analytics_changes (org_id, id);

create table analytics_days (
  org_id uuid not null references organizations (id) on delete cascade,
  -- Which of the three columns below are given: the sum of 1 (room), 2 (playbook), and 4 (agent).
  -- The others are null, and the row is over all their values.
  grain smallint not null,
  room_id uuid,
  playbook_id uuid,
  agent_id uuid,
  -- '-infinity' for the sum of all days.
  day date not null,
  calls bigint not null,
  averaged bigint not null,
  duration_sec bigint not null,
  items bigint not null,
  checked_items bigint not null,
  scores bigint not null,
  score_sum bigint not null,
  promoters bigint not null,
  passives bigint not null,
  detractors bigint not null,
  constraint analytics_days_key
    unique nulls not distinct (org_id, grain, room_id, playbook_id, agent_id, day)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['counted_calls', 'analytics_changes', 'analytics_days'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Since when the sums hold all calls: null for organizations from before this migration, until a job has
-- counted their calls.
alter table organizations add column calls_counted_at timestamptz;
alter table organizations alter column calls_counted_at set default now();

-- Counts these calls, completed ones only. Returns those that were not counted yet, or not correctly.
create function count_calls(ids uuid[]) returns setof uuid
language plpgsql set search_path = public, pg_temp as $$
begin
  -- Transactions that change the same call wait here, and then see each other's rows.
  perform 1 from calls c where c.id = any (ids) order by c.id for no key update;
  return query insert into counted_calls as counted (call_id, org_id, day, room_id, playbook_id, agent_id,
    calls, averaged, duration_sec, items, checked_items,
    scores, score_sum, promoters, passives, detractors)
  select f.* from call_figures f where f.call_id = any (ids)
  on conflict (call_id) do update set
    day = excluded.day, room_id = excluded.room_id, playbook_id = excluded.playbook_id,
    agent_id = excluded.agent_id, averaged = excluded.averaged, duration_sec = excluded.duration_sec,
    items = excluded.items, checked_items = excluded.checked_items, scores = excluded.scores,
    score_sum = excluded.score_sum, promoters = excluded.promoters, passives = excluded.passives,
    detractors = excluded.detractors, counted_at = excluded.counted_at
  where (counted.day, counted.room_id, counted.playbook_id, counted.agent_id, counted.averaged,
      counted.duration_sec, counted.items, counted.checked_items, counted.scores, counted.score_sum,
      counted.promoters, counted.passives, counted.detractors)
    is distinct from (excluded.day, excluded.room_id, excluded.playbook_id, excluded.agent_id,
      excluded.averaged, excluded.duration_sec, excluded.items, excluded.checked_items,
      excluded.scores, excluded.score_sum, excluded.promoters, excluded.passives,
      excluded.detractors)
  returning counted.call_id;
end $$;

-- What calls them: a call is completed, or something of a completed call changes. Most changes are of running
-- calls, and cost one look-up here.

create function count_this_call() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform count_calls(array[new.id]);
  return null;
end $$;
create trigger count_ended after update on calls for each row
  when (new.ended_at is not null
    and (old.ended_at, old.started_at, old.duration_sec, old.room_id, old.playbook_id)
      is distinct from (new.ended_at, new.started_at, new.duration_sec, new.room_id, new.playbook_id))
  execute function count_this_call();

create function count_call_of_row() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  id uuid := case tg_op when 'DELETE' then old.call_id else new.call_id end;
begin
  if exists (select 1 from counted_calls k where k.call_id = id) then
    perform count_calls(array[id]);
  end if;
  return null;
end $$;
create trigger count_without after delete on call_checklist_items for each row
  execute function count_call_of_row();
create trigger count_scores after insert or delete on ratings for each row
  execute function count_call_of_row();
create trigger count_new_scores after update on ratings for each row
  when ((old.score, old.kind, old.updated_at) is distinct from (new.score, new.kind, new.updated_at))
  execute function count_call_of_row();

create function count_calls_of_items() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select 1 from added n join counted_calls k on k.call_id = n.call_id) then
    perform count_calls(array(
      select distinct n.call_id from added n join counted_calls k on k.call_id = n.call_id));
  end if;
  return null;
end $$;
create trigger count_items after insert on call_checklist_items
  referencing new table as added for each statement execute function count_calls_of_items();

-- Once for a statement, which may tick all items of a call.
create function count_calls_of_ticks() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  -- Not those of which only the person who ticked changed: an account that is deleted may have ticked many.
  ids uuid[] := array(
    select t.call_id from (
      select n.call_id, count(n.checked_at) from added n group by n.call_id
      except
      select r.call_id, count(r.checked_at) from removed r group by r.call_id
    ) t join counted_calls k on k.call_id = t.call_id);
begin
  if ids <> '{}' then
    perform count_calls(ids);
  end if;
  return null;
end $$;
create trigger count_ticks after update on call_checklist_items
  referencing old table as removed new table as added
  for each statement execute function count_calls_of_ticks();

-- The number of calls in a room, and of those created in the newest month with any (UTC), are columns of the
-- room, which a starting call has locked already. In rooms from before, call_count stays null until the program
-- has counted their calls after the migrations: here, all calls would be locked meanwhile.
alter table rooms
  add column call_count integer,
  add column newest_month date,
  add column calls_in_month integer not null default 0;
alter table rooms alter column call_count set default 0;

create function count_new_calls() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update rooms r set call_count = r.call_count + n.calls,
    newest_month = greatest(r.newest_month, n.newest),
    calls_in_month = case when r.newest_month > n.newest then r.calls_in_month
      when r.newest_month = n.newest then r.calls_in_month + n.in_newest else n.in_newest end
  from (
    select room_id, sum(calls) as calls, max(month) as newest,
      (array_agg(calls order by month desc))[1] as in_newest
    from (
      select room_id, date_trunc('month', created_at at time zone 'UTC')::date as month, count(*) as calls
      from added group by 1, 2
    ) months
    group by room_id
  ) n where r.id = n.room_id;
  if exists (select 1 from added where ended_at is not null) then
    perform count_calls(array(select id from added where ended_at is not null));
  end if;
  return null;
end $$;
create trigger count_new after insert on calls
  referencing new table as added for each statement execute function count_new_calls();

create function count_deleted_calls() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update rooms r set call_count = r.call_count - n.calls, calls_in_month = r.calls_in_month - n.in_month
  from (
    select d.room_id, count(*) as calls,
      count(*) filter (where date_trunc('month', d.created_at at time zone 'UTC') = room.newest_month) as in_month
    from removed d join rooms room on room.id = d.room_id group by d.room_id
  ) n where r.id = n.room_id;
  return null;
end $$;
create trigger count_deleted after delete on calls
  referencing old table as removed for each statement execute function count_deleted_calls();

-- Adds to the changes what counted_calls gained or lost. Of an organization that is being deleted nothing is
-- kept.
create function note_analytics_change() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'DELETE' then
    insert into analytics_changes (org_id, day, room_id, playbook_id, agent_id, calls, averaged,
      duration_sec, items, checked_items, scores, score_sum, promoters, passives, detractors)
    select n.org_id, n.day, n.room_id, n.playbook_id, n.agent_id, sum(n.calls), sum(n.averaged),
      sum(n.duration_sec), sum(n.items), sum(n.checked_items), sum(n.scores), sum(n.score_sum),
      sum(n.promoters), sum(n.passives), sum(n.detractors)
    from added n group by n.org_id, n.day, n.room_id, n.playbook_id, n.agent_id;
  end if;
  if tg_op <> 'INSERT' then
    insert into analytics_changes (org_id, day, room_id, playbook_id, agent_id, calls, averaged,
      duration_sec, items, checked_items, scores, score_sum, promoters, passives, detractors)
    select n.org_id, n.day, n.room_id, n.playbook_id, n.agent_id, -sum(n.calls), -sum(n.averaged),
      -sum(n.duration_sec), -sum(n.items), -sum(n.checked_items), -sum(n.scores), -sum(n.score_sum),
      -sum(n.promoters), -sum(n.passives), -sum(n.detractors)
    from removed n join organizations o on o.id = n.org_id
    group by n.org_id, n.day, n.room_id, n.playbook_id, n.agent_id;
  end if;
  return null;
end $$;
create trigger note_counted after insert on counted_calls
  referencing new table as added for each statement execute function note_analytics_change();
create trigger note_recounted after update on counted_calls
  referencing new table as added old table as removed
  for each statement execute function note_analytics_change();
create trigger note_uncounted after delete on counted_calls
  referencing old table as removed for each statement execute function note_analytics_change();

-- The rows of analytics_days that a call with these values is part of.
create function analytics_grains(room uuid, playbook uuid, agent uuid, on_day date)
returns table (grain smallint, room_id uuid, playbook_id uuid, agent_id uuid, day date)
language sql immutable as $$
  select g.grain::smallint, case when g.grain & 1 > 0 then room end,
    case when g.grain & 2 > 0 then playbook end, case when g.grain & 4 > 0 then agent end, d.day
  from generate_series(0, 7) g (grain), (values (on_day), ('-infinity'::date)) d (day)
$$;

-- Moves up to `at_most` changes of the connection's organization into its days.
-- Returns how many there were; 0 while another process does the same.
create function fold_analytics(at_most integer) returns integer
language plpgsql set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  folded integer;
begin
  if not pg_try_advisory_xact_lock(7203002, hashtext(org::text)) then return 0; end if;
  with taken as (
    delete from analytics_changes where id in (
      select id from analytics_changes where org_id = org order by id limit at_most)
    returning *
  ), merged as (
    insert into analytics_days as kept (org_id, grain, room_id, playbook_id, agent_id, day, calls, averaged,
      duration_sec, items, checked_items, scores, score_sum, promoters, passives, detractors)
    select org, g.grain, g.room_id, g.playbook_id, g.agent_id, g.day, sum(t.calls), sum(t.averaged),
      sum(t.duration_sec), sum(t.items), sum(t.checked_items), sum(t.scores), sum(t.score_sum),
      sum(t.promoters), sum(t.passives), sum(t.detractors)
    from taken t
    cross join lateral analytics_grains(t.room_id, t.playbook_id, t.agent_id, t.day) g
    group by g.grain, g.room_id, g.playbook_id, g.agent_id, g.day
    on conflict on constraint analytics_days_key do update set
      calls = kept.calls + excluded.calls, averaged = kept.averaged + excluded.averaged,
      duration_sec = kept.duration_sec + excluded.duration_sec, items = kept.items + excluded.items,
      checked_items = kept.checked_items + excluded.checked_items,
      scores = kept.scores + excluded.scores, score_sum = kept.score_sum + excluded.score_sum,
      promoters = kept.promoters + excluded.promoters, passives = kept.passives + excluded.passives,
      detractors = kept.detractors + excluded.detractors
  )
  select count(*) into folded from taken;
  return folded;
end $$;

-- Makes the days of the connection's organization what its counted calls say.
-- Returns what was missing from each sum, less what was too much.
create function repair_analytics_days()
returns table (grain smallint, room_id uuid, playbook_id uuid, agent_id uuid, day date, calls bigint)
language sql set search_path = public, pg_temp as $$
  with org as (select nullif(current_setting('app.tenant', true), '')::uuid as id),
  expected as (
    select g.*, k.calls, k.averaged, k.duration_sec, k.items, k.checked_items, k.scores, k.score_sum,
      k.promoters, k.passives, k.detractors
    from org join counted_calls k on k.org_id = org.id
    cross join lateral analytics_grains(k.room_id, k.playbook_id, k.agent_id, k.day) g
    union all
    select g.*, -a.calls, -a.averaged, -a.duration_sec, -a.items, -a.checked_items, -a.scores, -a.score_sum,
      -a.promoters, -a.passives, -a.detractors
    from org join analytics_changes a on a.org_id = org.id
    cross join lateral analytics_grains(a.room_id, a.playbook_id, a.agent_id, a.day) g
    union all
    select d.grain, d.room_id, d.playbook_id, d.agent_id, d.day, -d.calls, -d.averaged, -d.duration_sec,
      -d.items, -d.checked_items, -d.scores, -d.score_sum, -d.promoters, -d.passives, -d.detractors
    from org join analytics_days d on d.org_id = org.id
  ), missing as (
    select e.grain, e.room_id, e.playbook_id, e.agent_id, e.day, sum(e.calls) as calls,
      sum(e.averaged) as averaged, sum(e.duration_sec) as duration_sec, sum(e.items) as items,
      sum(e.checked_items) as checked_items, sum(e.scores) as scores, sum(e.score_sum) as score_sum,
      sum(e.promoters) as promoters, sum(e.passives) as passives, sum(e.detractors) as detractors
    from expected e group by e.grain, e.room_id, e.playbook_id, e.agent_id, e.day
    having (sum(e.calls), sum(e.averaged), sum(e.duration_sec), sum(e.items), sum(e.checked_items),
      sum(e.scores), sum(e.score_sum), sum(e.promoters), sum(e.passives), sum(e.detractors))
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ), repaired as (
    insert into analytics_days as kept (org_id, grain, room_id, playbook_id, agent_id, day, calls, averaged,
      duration_sec, items, checked_items, scores, score_sum, promoters, passives, detractors)
    select org.id, m.* from org cross join missing m
    on conflict on constraint analytics_days_key do update set
      calls = kept.calls + excluded.calls, averaged = kept.averaged + excluded.averaged,
      duration_sec = kept.duration_sec + excluded.duration_sec, items = kept.items + excluded.items,
      checked_items = kept.checked_items + excluded.checked_items,
      scores = kept.scores + excluded.scores, score_sum = kept.score_sum + excluded.score_sum,
      promoters = kept.promoters + excluded.promoters, passives = kept.passives + excluded.passives,
      detractors = kept.detractors + excluded.detractors
  )
  select m.grain, m.room_id, m.playbook_id, m.agent_id, m.day, m.calls::bigint from missing m
$$;

-- Organizations with changes to fold, with calls counted in the last minutes, or with calls from before this
-- migration to count.
create function organizations_to_fold() returns table (org_id uuid, is_counted boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  with recursive changed (org_id) as (
    (select a.org_id from analytics_changes a order by a.org_id limit 1)
    union all
    -- From one organization to the next by the index, however many changes each has.
    select (select a.org_id from analytics_changes a where a.org_id > c.org_id order by a.org_id limit 1)
    from changed c where c.org_id is not null
  ), due (org_id) as (
    select c.org_id from changed c
    union
    select k.org_id from counted_calls k where k.counted_at > now() - interval '3 minutes'
    union
    select o.id from organizations o where o.calls_counted_at is null
  )
  select o.id, o.calls_counted_at is not null from due join organizations o on o.id = due.org_id
$$;
revoke all on function organizations_to_fold() from public;
