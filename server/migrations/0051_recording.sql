-- Recordings, transcripts, and the consent that both need.

-- Whether a kind of capture is off, offered, or starts with each call. A room without a row of a kind follows its
-- organization, and an organization without one has it off.
create table capture_settings (
  org_id uuid not null references organizations (id) on delete cascade,
  room_id uuid,
  kind text not null,
  mode text not null,
  changed_at timestamptz not null default now(),
  changed_by uuid references accounts (id) on delete set null,
  constraint capture_settings_key unique nulls not distinct (org_id, room_id, kind),
  constraint capture_settings_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint capture_settings_kind check (kind in ('recording', 'transcript', 'analysis')),
  constraint capture_settings_mode check (mode in ('off', 'ask', 'start'))
);

-- One period in which a call was captured. At most one of a kind is running.
create table captures (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  kind text not null,
  started_at timestamptz not null default now(),
  -- Null where the room's settings started it.
  started_by uuid references accounts (id) on delete set null,
  stopped_at timestamptz,
  stopped_by uuid references accounts (id) on delete set null,
  constraint captures_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint captures_kind check (kind in ('recording', 'transcript', 'analysis')),
  constraint captures_stop_after_start check (stopped_at >= started_at)
);
create unique index captures_one_running on captures (org_id, call_id, kind) where stopped_at is null;
create index captures_of_call on captures (org_id, call_id, id);

-- The receipts: each answer of a participant to the question whether they may be captured. Append-only; the newest
-- of a participant counts.
create table consents (
  id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  -- Null while the participant has not joined a call.
  call_id uuid,
  participant_id uuid not null,
  participant_kind text not null,
  account_id uuid references accounts (id) on delete set null,
  name text not null,
  asked text[] not null,
  agreed text[] not null,
  -- The question as the participant read it.
  question text not null,
  question_version integer not null,
  language text not null,
  answered_at timestamptz not null default now(),
  constraint consents_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint consents_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint consents_participant_kind check (participant_kind in ('staff', 'guest')),
  constraint consents_asked check (asked <@ array['recording', 'transcript', 'analysis']),
  constraint consents_agreed check (agreed <@ asked)
);
create index consents_of_participant on consents (org_id, participant_id, id desc);
create index consents_of_call on consents (org_id, call_id, id desc) where call_id is not null;
create index consents_of_room on consents (org_id, room_id, id desc);

-- What one participant's page records: the camera with the microphone, or the shared screen.
create table recorded_tracks (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  participant_kind text not null,
  account_id uuid references accounts (id) on delete set null,
  name text not null,
  source text not null,
  created_at timestamptz not null default now(),
  constraint recorded_tracks_org_key unique (org_id, id),
  constraint recorded_tracks_one_of_source unique (org_id, call_id, participant_id, source),
  constraint recorded_tracks_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint recorded_tracks_participant_kind check (participant_kind in ('staff', 'guest')),
  constraint recorded_tracks_source check (source in ('camera', 'screen'))
);

-- One run of a recorder. A new camera, a reload, or a lost tab begins the next segment.
create table recorded_segments (
  id uuid primary key,
  org_id uuid not null,
  track_id uuid not null,
  -- The server's time of the segment's first frame.
  started_at timestamptz not null,
  mime_type text not null,
  has_video boolean not null,
  size_bytes bigint not null default 0,
  -- How many parts the page recorded; null until it says so or is lost.
  part_count integer,
  completed_at timestamptz,
  constraint recorded_segments_org_key unique (org_id, id),
  constraint recorded_segments_track foreign key (org_id, track_id)
    references recorded_tracks (org_id, id) on delete cascade,
  constraint recorded_segments_size check (size_bytes >= 0),
  constraint recorded_segments_part_count check (part_count >= 0)
);
create index recorded_segments_of_track on recorded_segments (org_id, track_id, started_at);

-- The parts that are stored. A part that is sent again has the same hash and changes nothing.
create table recorded_parts (
  org_id uuid not null,
  segment_id uuid not null,
  number integer not null,
  size_bytes integer not null,
  sha256 bytea not null,
  received_at timestamptz not null default now(),
  primary key (segment_id, number),
  constraint recorded_parts_segment foreign key (org_id, segment_id)
    references recorded_segments (org_id, id) on delete cascade,
  constraint recorded_parts_number check (number >= 0),
  constraint recorded_parts_size check (size_bytes > 0)
);

-- A seekable file that was made of one segment.
create table recorded_media (
  id uuid primary key,
  org_id uuid not null,
  track_id uuid not null,
  segment_id uuid not null,
  state text not null,
  started_at timestamptz not null,
  duration_ms integer,
  mime_type text,
  size_bytes bigint,
  -- Key in the file store (providers/files/port.ts).
  file_key text,
  poster_key text,
  -- Loudness, 0 to 255, of ten values a second.
  waveform bytea,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  constraint recorded_media_one_of_segment unique (org_id, segment_id),
  constraint recorded_media_track foreign key (org_id, track_id)
    references recorded_tracks (org_id, id) on delete cascade,
  constraint recorded_media_segment foreign key (org_id, segment_id)
    references recorded_segments (org_id, id) on delete cascade,
  constraint recorded_media_state check (state in ('waiting', 'ready', 'failed'))
);
create index recorded_media_of_track on recorded_media (org_id, track_id, started_at);
create index recorded_media_waiting on recorded_media (next_attempt_at) where state = 'waiting';

-- Files whose rows are gone and that are still to be deleted from the file store.
create table discarded_files (
  file_key text primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  discarded_at timestamptz not null default now()
);

-- While a row exists, nothing of the call is deleted by a retention rule or by a withdrawn consent.
create table legal_holds (
  call_id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  reason text not null,
  placed_at timestamptz not null default now(),
  placed_by uuid references accounts (id) on delete set null,
  constraint legal_holds_call foreign key (org_id, call_id) references calls (org_id, id),
  constraint legal_holds_reason check (length(reason) between 1 and 500)
);

-- What was said: one row for each phrase of one participant.
create table transcript_lines (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  participant_kind text not null,
  account_id uuid references accounts (id) on delete set null,
  name text not null,
  -- Milliseconds after the call's start.
  start_ms integer not null,
  end_ms integer not null,
  language text,
  text text not null,
  -- As it was recognized, once a member has corrected it.
  recognized_text text,
  corrected_at timestamptz,
  corrected_by uuid references accounts (id) on delete set null,
  -- Names the speech service or model.
  recognizer text not null,
  words tsvector generated always as (to_tsvector('simple', text)) stored,
  created_at timestamptz not null default now(),
  constraint transcript_lines_org_key unique (org_id, id),
  constraint transcript_lines_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint transcript_lines_participant_kind check (participant_kind in ('staff', 'guest')),
  constraint transcript_lines_times check (start_ms >= 0 and end_ms >= start_ms),
  constraint transcript_lines_text check (length(text) between 1 and 5000),
  constraint transcript_lines_correction check ((recognized_text is null) = (corrected_at is null))
);
create index transcript_lines_of_call on transcript_lines (org_id, call_id, start_ms, id);
create extension if not exists btree_gin;
create index transcript_lines_words on transcript_lines using gin (org_id, words);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array[
    'capture_settings', 'captures', 'consents', 'recorded_tracks', 'recorded_segments', 'recorded_parts',
    'recorded_media', 'discarded_files', 'legal_holds', 'transcript_lines'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;
