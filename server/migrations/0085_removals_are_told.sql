-- A host's removal of a guest ends the guest's sockets on every process, like each other revocation (migration 0023),
-- also where the message that says so to the room's pages is lost.
create function tell_removal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'removal', 'orgId', new.org_id, 'participantId', new.participant_id)::text);
  return null;
end $$;
revoke all on function tell_removal() from public;
create trigger call_removals_tell after insert on call_removals
  for each row execute function tell_removal();
