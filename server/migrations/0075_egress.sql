-- Recordings that a media server writes: one file for each track of a person who has agreed (LiveKit Egress).

-- A media server records sound apart from pictures, and both at once.
alter table recorded_tracks drop constraint recorded_tracks_source;
alter table recorded_tracks add constraint recorded_tracks_source
  check (source in ('camera', 'screen', 'microphone', 'screen-sound'));

-- Its files arrive whole, so nothing is sent again and compared.
alter table recorded_parts alter column sha256 drop not null;

-- What is in the file after this is not kept: consent or the recording ended then.
alter table recorded_segments add column keep_until timestamptz;

-- Segments that a media server is recording, or was asked to. A row goes once its file has been taken over. It has no
-- foreign key to its segment: a recording that is deleted must still be stopped, and its file deleted.
create table recorded_egresses (
  segment_id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  room_id uuid not null,
  media_room_id uuid not null,
  participant_id uuid not null,
  -- Of the media server.
  track_name text not null,
  -- Null until the media server has accepted it.
  egress_name text,
  requested_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- When it is tried again, or its state is asked for.
  next_attempt_at timestamptz not null default now(),
  stopped_at timestamptz,
  error text,
  constraint recorded_egresses_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint recorded_egresses_one_of_track unique (org_id, media_room_id, track_name)
);
create index recorded_egresses_of_room on recorded_egresses (org_id, room_id);
create index recorded_egresses_of_call on recorded_egresses (org_id, call_id);
alter table recorded_egresses enable row level security;
alter table recorded_egresses force row level security;
create policy tenant on recorded_egresses using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on recorded_egresses to current_user using (true);

-- Rooms whose media server records, or should. Those of a running call come first.
create function rooms_recorded_by_egress(most integer) returns table (org_id uuid, room_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.org_id, r.room_id from (
    select c.org_id, c.room_id, 0 as turn
    from captures k join calls c on c.org_id = k.org_id and c.id = k.call_id
    join media_rooms m on m.org_id = c.org_id and m.room_id = c.room_id and m.closed_at is null
    where k.kind = 'recording' and k.stopped_at is null and c.ended_at is null
    union
    select e.org_id, e.room_id, 1 from recorded_egresses e
  ) r group by r.org_id, r.room_id order by min(r.turn), r.room_id limit most
$$;
revoke all on function rooms_recorded_by_egress(integer) from public;
