-- Only guests whom the organization's token has admitted are looked up again when it ends, and not all of its guests.
create or replace function tell_end_of_token() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations',
    json_build_object('kind', 'api-token', 'orgId', old.org_id, 'tokenId', old.id)::text);
  return null;
end $$;
