-- A room whose guests wait until somebody lets them in; who switched that on, and when.
alter table rooms
  add column lobby_at timestamptz,
  add column lobby_by uuid references accounts (id) on delete set null;

-- Guests who asked to come in. A guest who reloads is the same participant and keeps the place.
create table lobby_entries (
  participant_id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  name text not null,
  waiting_since timestamptz not null default now(),
  -- The page was there then; `left_at` says that it said goodbye since.
  seen_at timestamptz not null default now(),
  left_at timestamptz,
  state text not null default 'waiting',
  decided_at timestamptz,
  decided_by uuid references accounts (id) on delete set null,
  -- The newest line that the team wrote to this guest.
  said text,
  said_by uuid references accounts (id) on delete set null,
  mailed_at timestamptz,
  constraint lobby_entries_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint lobby_entries_state check (state in ('waiting', 'admitted', 'refused')),
  constraint lobby_entries_decided check ((state = 'waiting') = (decided_at is null)),
  constraint lobby_entries_said check (length(said) between 1 and 300)
);
create index lobby_entries_waiting on lobby_entries (org_id, room_id, waiting_since)
  where state = 'waiting';
create index lobby_entries_unanswered on lobby_entries (waiting_since)
  where state = 'waiting' and mailed_at is null;

alter table lobby_entries enable row level security;
alter table lobby_entries force row level security;
create policy tenant on lobby_entries
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on lobby_entries to current_user using (true);

-- Guests of all organisations who have waited since `waiting_before`, are still there, and of whom
-- nobody was told by mail.
create function lobby_entries_unanswered(waiting_before timestamptz, seen_after timestamptz)
returns table (org_id uuid, participant_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id, e.participant_id from lobby_entries e
  where e.state = 'waiting' and e.mailed_at is null and e.left_at is null
    and e.waiting_since < waiting_before and e.seen_at > seen_after
$$;

-- The names of those who waited long ago are nobody's business any more; the audit log keeps who decided.
create function forget_lobby_entries(seen_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from lobby_entries where seen_at < seen_before
$$;
revoke all on function lobby_entries_unanswered(timestamptz, timestamptz) from public;
revoke all on function forget_lobby_entries(timestamptz) from public;
