-- Captures end at once: each change of a capture or of a consent is told at its commit, to all processes.
create function tell_captures() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'capture', 'orgId', new.org_id, 'callId', new.call_id, 'participantId', null)::text);
  return null;
end $$;
revoke all on function tell_captures() from public;
create trigger captures_tell after insert or update of stopped_at on captures
  for each row execute function tell_captures();

create function tell_consents() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'capture', 'orgId', new.org_id, 'callId', null, 'participantId', new.participant_id)::text);
  return null;
end $$;
revoke all on function tell_consents() from public;
create trigger consents_tell after insert on consents
  for each row execute function tell_consents();

-- A line is stored under this lock in shared mode, so that an answer waits for the lines that are being stored:
-- what its transaction then deletes is all there is, and nothing is stored after it.
create function lock_lines_of_participant() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('transcript ' || new.participant_id, 0));
  return new;
end $$;
revoke all on function lock_lines_of_participant() from public;
create trigger consents_lock_lines before insert on consents
  for each row execute function lock_lines_of_participant();

-- How many phrases of a participant could not be recognized.
create table transcript_gaps (
  org_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  phrases integer not null default 1,
  -- The newest one's, as in server/providers/speech/port.ts, or 'crowded'.
  failure text not null,
  last_at timestamptz not null default now(),
  primary key (org_id, call_id, participant_id),
  constraint transcript_gaps_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint transcript_gaps_phrases check (phrases > 0)
);
alter table transcript_gaps enable row level security;
alter table transcript_gaps force row level security;
create policy tenant on transcript_gaps
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on transcript_gaps to current_user using (true);
