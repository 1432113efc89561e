-- Action items belong to people: they are edited, assigned, completed, deleted, and added.
alter table action_items
  add column due_on date,
  add column assignee_id uuid references accounts (id) on delete set null,
  -- Recognizes an item when the list is generated again. Null for one that a member added, and for those generated
  -- before this migration until they are edited.
  add column source_key text,
  add column edited_at timestamptz,
  add column edited_by uuid references accounts (id) on delete set null,
  add column completed_at timestamptz,
  add column completed_by uuid references accounts (id) on delete set null;

alter table action_item_lists
  -- A list that members began has no analyzer until it is generated.
  alter column analyzer drop not null,
  alter column offline drop not null,
  -- Null in lists from before this migration, which were generated when they were created.
  add column generated_at timestamptz,
  -- The keys of generated items that members deleted.
  add column dismissed text[] not null default '{}';

-- As in migration 0039, and for calls whose list was generated before they ended.
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
    where c.ended_at between since and until
      and case
        when octet_length(c.notes_snapshot) <= longer_than then false
        when octet_length(c.notes_snapshot) > 4 * longer_than then true
        else length(c.notes_snapshot) > longer_than
      end
      and (f.call_id is null or (f.tries < 5 and f.next_try_at <= now()))
      and not exists (
        select 1 from action_item_lists l
        where l.call_id = c.id and l.analyzer is not null
          and coalesce(l.generated_at, l.created_at) >= c.ended_at
      )
  )
  select d.org_id, d.id from due d order by d.turn, d.tries nulls first, d.id limit 100
$$;
