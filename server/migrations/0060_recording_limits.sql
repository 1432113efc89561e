-- A joined file can be played before its waveform is measured. If the server stops meanwhile, it is joined again.

create or replace function segments_to_join(of_organization integer, in_all integer)
returns table (org_id uuid, segment_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select m.org_id, m.segment_id, m.id, row_number() over (
        partition by m.org_id order by m.next_attempt_at, m.id) as turn
    from recorded_media m
    join recorded_segments s on s.id = m.segment_id
    join recorded_tracks t on t.id = s.track_id
    left join attendances a on a.id = t.participant_id and a.call_id = t.call_id
    join calls c on c.id = t.call_id
    where (m.state = 'waiting' or m.state = 'ready' and m.waveform is null and s.parts_deleted_at is null)
      and m.next_attempt_at <= now()
      -- A page that sent nothing may still have its parts, for as long as its upload token is valid.
      and (s.stored_parts > 0 or s.part_count = 0 or s.started_at < now() - interval '25 hours')
      and (
        (s.completed_at is not null and s.stored_parts >= s.part_count)
        or (greatest(s.last_part_at, s.started_at) < now() - interval '90 seconds'
          and (s.completed_at is not null or c.ended_at is not null or a.id is null or a.left_at is not null
            or a.last_seen_at < now() - interval '2 minutes'))
        or greatest(s.last_part_at, s.started_at) < now() - interval '1 hour'
      )
  )
  select d.org_id, d.segment_id from due d where d.turn <= of_organization
  order by d.turn, d.id limit in_all
$$;

create or replace function segments_with_spare_parts(uploads_last interval) returns table (org_id uuid, segment_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.id
  from recorded_segments s join recorded_media m on m.segment_id = s.id
  where s.parts_deleted_at is null and m.state = 'ready' and m.waveform is not null
    and (s.started_at < now() - uploads_last
      or (s.completed_at is not null and m.joined_parts >= s.part_count))
  limit 1000
$$;

drop index recorded_media_waiting;
create index recorded_media_due on recorded_media (next_attempt_at)
  where state = 'waiting' or (state = 'ready' and waveform is null);
