-- Rooms whose provider records, or should, or has a file for us: a number of each organization, organizations in turn.
-- Those that are recorded come first, and the others of an organization with more rooms have their turn in another look.
drop function rooms_recorded_by_provider(integer);
create function rooms_recorded_by_provider(of_organization integer, in_all integer)
returns table (org_id uuid, room_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.room_id, 0 as turn
    from captures k join calls c on c.org_id = k.org_id and c.id = k.call_id
    where k.kind = 'recording' and k.stopped_at is null and c.ended_at is null
    union
    select h.org_id, h.room_id, case when h.stopped_at is null then 0 else 1 end from hosted_recordings h
    where h.stopped_at is null or h.next_attempt_at <= now()
  ), rooms_in_turn as (
    select d.org_id, d.room_id,
      row_number() over (partition by d.org_id order by min(d.turn), random()) as place
    from due d group by d.org_id, d.room_id
  )
  select r.org_id, r.room_id from rooms_in_turn r where r.place <= of_organization
  order by r.place, r.room_id limit in_all
$$;
revoke all on function rooms_recorded_by_provider(integer, integer) from public;
