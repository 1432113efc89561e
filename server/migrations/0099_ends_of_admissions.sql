-- An admission to a room's call admitted to its next calls, too, for twelve hours. It ends with the call that ran when it
-- was given, or with the first one after it.
create or replace function lobby_admits(entry lobby_entries, lobby_since timestamptz, roles text[])
returns boolean
language sql stable as $$
  select entry.state = 'admitted' and entry.decided_at > now() - interval '12 hours'
    and entry.decided_at >= coalesce(lobby_since, '-infinity')
    and (entry.program_id is null or api_token_works(entry.org_id, entry.program_id))
    and (entry.is_of_program or exists (select from memberships m
      where m.org_id = entry.org_id and m.account_id = entry.decided_by and m.role = any (roles)
        and m.runs_calls_since <= entry.decided_at))
    -- The newest one may still run.
    and not exists (
      select from (
        select c.ended_at from calls c where c.room_id = entry.room_id order by c.id desc limit 2
      ) last where last.ended_at > entry.decided_at)
$$;

-- An organization's token may have admitted guests (server/embedding). They are looked up again.
create function tell_end_of_token() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform tell_guests_of(old.org_id);
  return null;
end $$;
revoke all on function tell_end_of_token() from public;
create trigger api_tokens_tell_end after update of revoked_at on api_tokens
  for each row when (old.account_id is null and old.revoked_at is null and new.revoked_at is not null)
  execute function tell_end_of_token();
create trigger api_tokens_tell_deletion after delete on api_tokens
  for each row when (old.account_id is null) execute function tell_end_of_token();

-- Those of these tokens that are over, of all organizations.
create function ended_api_tokens(tokens uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select token from unnest(tokens) token
  where not exists (select from api_tokens t where t.id = token
    and t.revoked_at is null and (t.expires_at is null or t.expires_at > now()))
$$;
revoke all on function ended_api_tokens(uuid[]) from public;
