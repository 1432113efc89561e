-- Work that organizations cause is done in their turns.

-- A call whose action items could not be generated is tried again later and later, a few times.
create table action_item_failures (
  call_id uuid primary key,
  org_id uuid not null,
  tries integer not null,
  next_try_at timestamptz not null,
  constraint action_item_failures_tries check (tries > 0),
  constraint action_item_failures_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
alter table action_item_failures enable row level security;
alter table action_item_failures force row level security;
create policy tenant on action_item_failures
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on action_item_failures to current_user using (true);

-- Calls that ended between the two times with longer notes than this and have no list yet, of all
-- organizations in turn: many of one keep none of the others out.
create or replace function calls_without_action_items(
  since timestamptz, until timestamptz, longer_than integer)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.id, f.tries,
      row_number() over (
        partition by c.org_id order by f.tries nulls first, c.ended_at, c.id
      ) as turn
    from calls c left join action_item_failures f on f.call_id = c.id
    where c.ended_at between since and until and length(c.notes_snapshot) > longer_than
      and (f.call_id is null or (f.tries < 5 and f.next_try_at <= now()))
      and not exists (select 1 from action_item_lists l where l.call_id = c.id)
  )
  select d.org_id, d.id from due d order by d.turn, d.tries nulls first, d.id limit 100
$$;
