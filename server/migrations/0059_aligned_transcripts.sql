-- After a call, its transcript is compared with each recorded file: the lines get the file's times, and what was not
-- recognized during the call is recognized then.
alter table recorded_media
  add column aligned_at timestamptz,
  add column align_attempts integer not null default 0,
  add column align_next_at timestamptz not null default now();

-- Files of people who agreed to a transcript, of calls that have ended. Phrases that were under way at the end are
-- recognized a few seconds later.
create function media_to_align(most integer) returns table (org_id uuid, media_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.id
  from calls c
  join recorded_tracks t on t.org_id = c.org_id and t.call_id = c.id and t.source = 'camera'
  join recorded_media m on m.org_id = t.org_id and m.track_id = t.id
  where c.ended_at between now() - interval '7 days' and now() - interval '10 seconds'
    and m.state = 'ready' and m.aligned_at is null
    and m.align_next_at <= now() and m.align_attempts < 6
    and exists (select from captures x where x.org_id = c.org_id and x.call_id = c.id and x.kind = 'transcript')
    and exists (select from consents a where a.org_id = t.org_id and a.participant_id = t.participant_id
      and 'transcript' = any (a.agreed))
  order by m.align_next_at, m.id limit most
$$;
revoke all on function media_to_align(integer) from public;
create index recorded_media_to_align on recorded_media (align_next_at)
  where state = 'ready' and aligned_at is null;
