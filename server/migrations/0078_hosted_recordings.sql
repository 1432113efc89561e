-- Recordings of everyone in one file, which the provider of a hosted page makes (Daily).

alter table recorded_tracks drop constraint recorded_tracks_source;
alter table recorded_tracks add constraint recorded_tracks_source
  check (source in ('camera', 'screen', 'microphone', 'screen-sound', 'everyone'));

-- Who is in a segment of everyone: it is deleted with any of them.
create table recorded_segment_people (
  org_id uuid not null,
  segment_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  account_id uuid references accounts (id) on delete set null,
  added_at timestamptz not null default now(),
  primary key (segment_id, participant_id),
  constraint recorded_segment_people_segment foreign key (org_id, segment_id)
    references recorded_segments (org_id, id) on delete cascade
);
create index recorded_segment_people_of_call on recorded_segment_people (org_id, call_id, participant_id);
create index recorded_segment_people_of_account on recorded_segment_people (account_id)
  where account_id is not null;

-- Recordings that the provider was asked for, until it has deleted its copy. A row has no foreign key to its segment or
-- its call: what is deleted here must still be stopped, and deleted there.
create table hosted_recordings (
  segment_id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  room_id uuid not null,
  -- Of the provider; null until it has said it.
  recording_id text,
  requested_at timestamptz not null default now(),
  -- The provider has said that it records.
  confirmed_at timestamptz,
  stopped_at timestamptz,
  -- The provider has said that it does not record any more.
  stop_confirmed_at timestamptz,
  -- The file is in our own store.
  stored_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  attempts integer not null default 0,
  error text
);
create unique index hosted_recordings_one_running on hosted_recordings (org_id, room_id)
  where stopped_at is null;
create index hosted_recordings_of_room on hosted_recordings (org_id, room_id);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['recorded_segment_people', 'hosted_recordings'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Rooms whose provider records, or should, or has a file for us. Those that are recorded come first.
create function rooms_recorded_by_provider(most integer) returns table (org_id uuid, room_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.org_id, r.room_id from (
    select c.org_id, c.room_id, 0 as turn
    from captures k join calls c on c.org_id = k.org_id and c.id = k.call_id
    where k.kind = 'recording' and k.stopped_at is null and c.ended_at is null
    union
    select h.org_id, h.room_id, case when h.stopped_at is null then 0 else 1 end from hosted_recordings h
    where h.stopped_at is null or h.next_attempt_at <= now()
  ) r group by r.org_id, r.room_id order by min(r.turn), r.room_id limit most
$$;
revoke all on function rooms_recorded_by_provider(integer) from public;

-- The provider's event about a start names no room.
create function room_of_hosted_recording(segment uuid) returns table (org_id uuid, room_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select h.org_id, h.room_id from hosted_recordings h where h.segment_id = segment
$$;
revoke all on function room_of_hosted_recording(uuid) from public;
