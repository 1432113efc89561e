-- Deliveries have places: of an endpoint, and now of an organization, too. A place is taken for a second at least
-- (server/webhooks/note-attempt.ts), so places are also a rate.
drop function take_due_webhooks(integer, integer, integer);
create function take_due_webhooks(most integer, per_endpoint integer, per_organization integer, seconds integer)
returns table (id uuid, org_id uuid, endpoint_id uuid, event_id uuid, attempts integer, first_try_at timestamptz,
  kind text, url text, secret_sealed text, previous_secret_sealed text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  present timestamptz;
begin
  -- One process after the other: together they would send an endpoint more than it may get.
  perform pg_advisory_xact_lock(7203062);
  -- A variable, because no index is searched for the value of a volatile function.
  present := clock_timestamp();
  return query
    with busy as (
      select d.org_id, d.endpoint_id, count(*)::int as deliveries from webhook_deliveries d
      where d.sending_until > present group by d.org_id, d.endpoint_id
    ), looked as materialized (
      select d.id, e.org_id, e.id as endpoint_id, d.next_try_at, d.place, d.is_first, d.first_try,
        row_number() over (partition by e.id, d.is_first order by d.next_try_at, d.place)
          + coalesce(b.deliveries, 0) as of_endpoint
      from webhook_endpoints e
      left join busy b on b.endpoint_id = e.id
      cross join lateral (
        select w.id, w.next_try_at, w.place, w.place = earliest.place as is_first,
          earliest.next_try_at as first_try
        from (
          select v.id, v.order_key, v.next_try_at, v.place from webhook_deliveries v
          where v.endpoint_id = e.id and v.state = 'waiting' and v.next_try_at <= present
          order by v.next_try_at, v.place limit 200
        ) w
        cross join lateral (
          select f.place, f.next_try_at from webhook_deliveries f
          where f.endpoint_id = e.id and f.order_key = w.order_key and f.state = 'waiting'
          order by f.place limit 1
        ) earliest
      ) d
      where e.disabled_at is null and (e.paused_until is null or e.paused_until <= present)
        and coalesce(b.deliveries, 0) < per_endpoint
    ), blocked as (
      -- The end of the earlier one may have made it due meanwhile.
      select w.id, l.first_try from looked l join webhook_deliveries w on w.id = l.id
      where not l.is_first and w.state = 'waiting' and w.next_try_at = l.next_try_at
      for no key update of w skip locked
    ), put_off as (
      update webhook_deliveries w set next_try_at = greatest(b.first_try, present + interval '10 minutes')
      from blocked b where b.id = w.id
    ), placed as (
      select l.id, row_number() over (partition by l.org_id order by l.next_try_at, l.place)
        + coalesce((select sum(b.deliveries) from busy b where b.org_id = l.org_id), 0) as turn,
        l.next_try_at, l.place
      from looked l where l.is_first and l.of_endpoint <= per_endpoint
    ), chosen as (
      select w.id from placed p join webhook_deliveries w on w.id = p.id
      where w.state = 'waiting' and p.turn <= per_organization
      order by p.turn, p.next_try_at, p.place limit most
      for no key update of w skip locked
    ), taken as (
      update webhook_deliveries w set attempts = w.attempts + 1,
        first_try_at = coalesce(w.first_try_at, present),
        sending_until = present + make_interval(secs => seconds),
        next_try_at = present + make_interval(secs => seconds)
      from chosen c where c.id = w.id
      returning w.id, w.org_id, w.endpoint_id, w.event_id, w.attempts, w.first_try_at
    )
    select t.id, t.org_id, t.endpoint_id, t.event_id, t.attempts, t.first_try_at, e.kind, e.url, e.secret_sealed,
      case when e.previous_secret_expires_at > present then e.previous_secret_sealed end
    from taken t join webhook_endpoints e on e.id = t.endpoint_id;
end $$;
revoke all on function take_due_webhooks(integer, integer, integer, integer) from public;

-- Of a capture, only a transcript is followed: what is recorded asks with each part (server/transcripts/live-speech.ts).
drop trigger captures_tell on captures;
create trigger captures_tell after insert or update of stopped_at on captures
  for each row when (new.kind = 'transcript') execute function tell_captures();

-- Looks for files read a few rows of each organization, however many wait. What is not due yet is put off for a while:
-- the longest-waiting rows would hide the others. Whoever makes a row due earlier sets its time, so its time must be
-- the one that was read.
drop index recorded_media_due;
create index recorded_media_due on recorded_media (org_id, next_attempt_at, id)
  where state = 'waiting' or (state = 'ready' and waveform is null);
create or replace function segments_to_join(of_organization integer, in_all integer)
returns table (org_id uuid, segment_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with looked as materialized (
    select m.* from organizations o cross join lateral (
      select w.id, w.org_id, w.segment_id, w.state, w.next_attempt_at from recorded_media w
      where w.org_id = o.id and (w.state = 'waiting' or (w.state = 'ready' and w.waveform is null))
        and w.next_attempt_at <= now()
      order by w.next_attempt_at, w.id limit 5 * of_organization
    ) m
  ), known as materialized (
    select m.*, coalesce(
        (m.state = 'waiting' or s.parts_deleted_at is null)
        -- A page that sent nothing may still have its parts, for as long as its upload token is valid.
        and (s.stored_parts > 0 or s.part_count = 0 or s.started_at < now() - interval '25 hours')
        and (
          (s.completed_at is not null and s.stored_parts >= s.part_count)
          or (greatest(s.last_part_at, s.started_at) < now() - interval '90 seconds'
            and (s.completed_at is not null or c.ended_at is not null or a.id is null or a.left_at is not null
              or a.last_seen_at < now() - interval '2 minutes'))
          or greatest(s.last_part_at, s.started_at) < now() - interval '1 hour'
        ), false) as is_due
    from looked m
    join recorded_segments s on s.id = m.segment_id
    join recorded_tracks t on t.id = s.track_id
    left join attendances a on a.id = t.participant_id and a.call_id = t.call_id
    join calls c on c.id = t.call_id
  ), not_due as (
    select m.id from known k join recorded_media m on m.id = k.id and m.next_attempt_at = k.next_attempt_at
    where not k.is_due for no key update of m skip locked
  ), put_off as (
    update recorded_media m set next_attempt_at = now() + interval '30 seconds'
    from not_due n where n.id = m.id
  ), turns as (
    select k.*, row_number() over (partition by k.org_id order by k.next_attempt_at, k.id) as turn
    from known k where k.is_due
  )
  select t.org_id, t.segment_id from turns t where t.turn <= of_organization
  order by t.turn, t.id limit in_all
$$;

-- A call that is over and had no transcript never gets one. The voice is in the track of the microphone where there is
-- one.
drop index recorded_media_to_align;
create index recorded_media_to_align on recorded_media (org_id, align_next_at, id)
  where state = 'ready' and aligned_at is null and align_attempts < 6;
create or replace function media_to_align(of_organization integer, in_all integer)
returns table (org_id uuid, media_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with looked as materialized (
    select m.* from organizations o cross join lateral (
      select w.id, w.org_id, w.track_id, w.align_next_at from recorded_media w
      where w.org_id = o.id and w.state = 'ready' and w.aligned_at is null and w.align_attempts < 6
        and w.align_next_at <= now()
      order by w.align_next_at, w.id limit 5 * of_organization
    ) m
  ), known as materialized (
    select m.*, coalesce(c.ended_at < now() - interval '10 seconds', false) as is_over,
      c.ended_at > now() - interval '7 days' and (t.source = 'microphone' or t.source = 'camera' and not exists (select from recorded_tracks v
          where v.org_id = t.org_id and v.call_id = t.call_id and v.participant_id = t.participant_id
            and v.source = 'microphone'))
        and exists (select from captures x where x.org_id = c.org_id and x.call_id = c.id and x.kind = 'transcript')
        and exists (select from consents a where a.org_id = t.org_id and a.participant_id = t.participant_id
          and 'transcript' = any (a.agreed))
        -- Under a legal hold, what waits to be removed is kept, and sent to no one.
        and not exists (select from held_removals h where h.org_id = t.org_id and h.call_id = t.call_id
          and h.participant_id = t.participant_id) as has_transcript
    from looked m
    join recorded_tracks t on t.id = m.track_id
    join calls c on c.id = t.call_id
  ), not_due as (
    select m.id, k.is_over from known k join recorded_media m on m.id = k.id and m.align_next_at = k.align_next_at
    where not (k.is_over and k.has_transcript) for no key update of m skip locked
  ), put_off as (
    update recorded_media m set align_next_at = now() + case when n.is_over then interval '100 years'
      else interval '15 seconds' end
    from not_due n where n.id = m.id
  ), turns as (
    select k.*, row_number() over (partition by k.org_id order by k.align_next_at, k.id) as turn
    from known k where k.is_over and k.has_transcript
  )
  select t.org_id, t.id from turns t where t.turn <= of_organization order by t.turn, t.id limit in_all
$$;

-- Who is not in the call is not heard: the end of an attendance ends what is captured.
create function tell_left_attendances() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'capture', 'orgId', new.org_id, 'callId', null, 'participantId', new.id)::text);
  return null;
end $$;
revoke all on function tell_left_attendances() from public;
create trigger attendances_tell after update of left_at on attendances
  for each row when (old.left_at is null and new.left_at is not null) execute function tell_left_attendances();
