-- Where the parts of recordings are stored, what was joined, and what is deleted.

alter table recorded_segments
  add column stored_parts integer not null default 0,
  add column last_part_at timestamptz,
  -- The parts are in the joined file, so their bytes were deleted. No more are accepted.
  add column parts_deleted_at timestamptz;
alter table recorded_parts
  -- Key in the file store, and where the part begins in it.
  add column file_key text not null,
  add column position bigint not null;
-- How many parts the joined file was made of.
alter table recorded_media add column joined_parts integer;

-- A file, or everything in a folder. Tried later and later.
alter table discarded_files
  add column attempts integer not null default 0,
  add column next_attempt_at timestamptz not null default now();
create index discarded_files_due on discarded_files (next_attempt_at);

-- Why a call that was recorded has no recording any more.
create table recording_removals (
  call_id uuid primary key,
  org_id uuid not null,
  reason text not null,
  removed_at timestamptz not null default now(),
  removed_by uuid references accounts (id) on delete set null,
  constraint recording_removals_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint recording_removals_reason check (reason in ('expired', 'deleted'))
);

-- People whose recordings are deleted once the call's legal hold is lifted.
create table held_removals (
  org_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  requested_at timestamptz not null default now(),
  primary key (call_id, participant_id),
  constraint held_removals_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['recording_removals', 'held_removals'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

create index recorded_tracks_of_account on recorded_tracks (account_id) where account_id is not null;
create index legal_holds_of_org on legal_holds (org_id);

-- Whatever deletes a segment also has its files deleted, in the same transaction. A deleted organization takes this
-- list with it: its folder is deleted before (delete-organization.ts), and what is left is found as orphaned.
create function discard_files_of_segment() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organizations where id = old.org_id) then
    insert into discarded_files (file_key, org_id)
      values (old.org_id || '/recordings/' || old.id, old.org_id) on conflict do nothing;
  end if;
  return null;
end $$;
revoke all on function discard_files_of_segment() from public;
create trigger discard_files after delete on recorded_segments
  for each row execute function discard_files_of_segment();

-- Segments that can be joined: their page has sent everything, or it is gone and has sent nothing for a while.
create function segments_to_join(most integer) returns table (org_id uuid, segment_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.segment_id
  from recorded_media m
  join recorded_segments s on s.id = m.segment_id
  join recorded_tracks t on t.id = s.track_id
  left join attendances a on a.id = t.participant_id and a.call_id = t.call_id
  join calls c on c.id = t.call_id
  where m.state = 'waiting' and m.next_attempt_at <= now()
    -- A page that sent nothing may still have its parts, for as long as its upload token is valid.
    and (s.stored_parts > 0 or s.part_count = 0 or s.started_at < now() - interval '25 hours')
    and (
      (s.completed_at is not null and s.stored_parts >= s.part_count)
      or (greatest(s.last_part_at, s.started_at) < now() - interval '90 seconds'
        and (s.completed_at is not null or c.ended_at is not null or a.id is null or a.left_at is not null
          or a.last_seen_at < now() - interval '2 minutes'))
      or greatest(s.last_part_at, s.started_at) < now() - interval '1 hour'
    )
  order by m.next_attempt_at, m.id limit most
$$;
revoke all on function segments_to_join(integer) from public;

-- Segments whose parts are only kept in case that more arrive, which they cannot any more.
create function segments_with_spare_parts(uploads_last interval) returns table (org_id uuid, segment_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.id
  from recorded_segments s join recorded_media m on m.segment_id = s.id
  where s.parts_deleted_at is null and m.state = 'ready'
    and (s.started_at < now() - uploads_last
      or (s.completed_at is not null and m.joined_parts >= s.part_count))
  limit 1000
$$;
revoke all on function segments_with_spare_parts(interval) from public;

create function files_to_delete(most integer) returns table (org_id uuid, file_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.file_key from discarded_files d
  where d.next_attempt_at <= now() order by d.next_attempt_at limit most
$$;
revoke all on function files_to_delete(integer) from public;

-- The rows of parts whose bytes are deleted, once their upload tokens have expired. At most a part of them at a time.
create function forget_recorded_parts(uploads_last interval) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from recorded_parts where segment_id in (
    select s.id from recorded_segments s
    where s.parts_deleted_at is not null and s.started_at < now() - uploads_last
      and exists (select from recorded_parts p where p.segment_id = s.id)
    limit 200
  );
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function forget_recorded_parts(interval) from public;

create index transcript_lines_of_account on transcript_lines (account_id) where account_id is not null;
create index consents_of_account on consents (account_id) where account_id is not null;

-- An export of a person reads each table by its primary key.
do $$ begin
  if not exists (select from pg_constraint where conrelid = 'capture_settings'::regclass and contype = 'p') then
    alter table capture_settings add column id uuid primary key default gen_random_uuid();
  end if;
end $$;
