-- Ends what still acts or reads as an account after its credentials are removed: its personal API tokens and the
-- secret addresses of its calendars, in any organization. Returns how many there were.
create function end_access_of_account(account uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tokens integer;
  feeds integer;
begin
  update api_tokens set revoked_at = now() where account_id = account and revoked_at is null;
  get diagnostics tokens = row_count;
  delete from calendar_feeds where account_id = account;
  get diagnostics feeds = row_count;
  return tokens + feeds;
end $$;
revoke all on function end_access_of_account(uuid) from public;
