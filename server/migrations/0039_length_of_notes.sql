-- As before, but without reading long notes to learn that they are long. The number of bytes is stored with
-- them, and no character has more than four.
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
      and not exists (select 1 from action_item_lists l where l.call_id = c.id)
  )
  select d.org_id, d.id from due d order by d.turn, d.tries nulls first, d.id limit 100
$$;
