-- Links to a call's recording, or to a part of it, that work without an account.
create table recording_shares (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  token_hash bytea not null,
  -- Null where the room's topic names it.
  title text,
  -- Both or neither: milliseconds after the call's start.
  start_ms integer,
  end_ms integer,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid references accounts (id) on delete set null,
  last_viewed_at timestamptz,
  constraint recording_shares_token unique (org_id, token_hash),
  constraint recording_shares_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint recording_shares_title check (length(title) between 1 and 120),
  constraint recording_shares_clip check (
    (start_ms is null) = (end_ms is null) and start_ms >= 0 and end_ms > start_ms),
  constraint recording_shares_expiry check (expires_at > created_at)
);
create index recording_shares_of_call on recording_shares (org_id, call_id, id desc);

alter table recording_shares enable row level security;
alter table recording_shares force row level security;
create policy tenant on recording_shares
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on recording_shares to current_user using (true);

-- A share ends with the recording, however that is deleted.
create function remove_shares_of_deleted_recordings() returns trigger language plpgsql as $$
begin
  delete from recording_shares s
  using (select distinct org_id, call_id from gone) g
  where s.org_id = g.org_id and s.call_id = g.call_id
    and not exists (
      select from recorded_tracks t where t.org_id = s.org_id and t.call_id = s.call_id
    );
  return null;
end $$;
create trigger recorded_tracks_shares after delete on recorded_tracks
  referencing old table as gone for each statement
  execute function remove_shares_of_deleted_recordings();
