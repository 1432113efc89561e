-- The stretches of a room's calls whose media a media server carries. The open one is where everybody
-- is, or moves to; without one the media go from browser to browser.
create table media_rooms (
  id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  -- Why it was begun: the engine always does, the mesh was full, the node before died, somebody was
  -- removed and may still hold a pass for the one before.
  reason text not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint media_rooms_org_key unique (org_id, id),
  constraint media_rooms_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint media_rooms_reason check (reason in ('engine', 'mesh_full', 'node_lost', 'removal'))
);
-- One decides, and everybody follows: also of two processes that find the mesh full at once.
create unique index media_rooms_one_open on media_rooms (room_id) where closed_at is null;
create index media_rooms_of_room on media_rooms (org_id, room_id, id);

alter table media_rooms enable row level security;
alter table media_rooms force row level security;
create policy tenant on media_rooms
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on media_rooms to current_user using (true);

-- What the media server told of them, each event once.
create table media_events (
  id text not null,
  org_id uuid not null,
  media_room_id uuid not null,
  kind text not null,
  participant_id uuid,
  lost boolean not null default false,
  told_at timestamptz not null default now(),
  constraint media_events_key primary key (org_id, id),
  constraint media_events_room foreign key (org_id, media_room_id)
    references media_rooms (org_id, id) on delete cascade,
  constraint media_events_kind check (kind in ('joined', 'left', 'finished')),
  constraint media_events_id check (length(id) between 1 and 200)
);
create index media_events_of_room on media_events (org_id, media_room_id, told_at);

alter table media_events enable row level security;
alter table media_events force row level security;
create policy tenant on media_events
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on media_events to current_user using (true);
