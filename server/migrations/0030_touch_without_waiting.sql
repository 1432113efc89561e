-- One statement for the calls of all organizations waits for none of them: a call that somebody has
-- locked is in use, and its people are noted with the next beat.
create or replace function touch_attendances(ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held uuid[];
begin
  held := array(
    select id from calls
    where ended_at is null and id in (select call_id from attendances where id = any (ids))
    for no key update skip locked
  );
  update attendances set last_seen_at = now(), left_at = null
  where id = any (ids) and call_id = any (held);
  update calls set last_seen_at = now() where id = any (held);
end $$;
