-- What an organization requires of its members' sessions holds for sockets, too: they are looked up again
-- when two factors become required, and when a session loses its second factor.
create function tell_required_factors() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'organization', 'orgId', new.org_id)::text);
  return null;
end $$;
revoke all on function tell_required_factors() from public;
create trigger sign_in_policies_tell after insert or update of two_factor_required_at on sign_in_policies
  for each row when (new.two_factor_required_at is not null)
  execute function tell_required_factors();

create trigger sessions_tell_weaker after update of two_factors on sessions
  for each row when (old.two_factors and not new.two_factors)
  execute function tell_ended_session();
