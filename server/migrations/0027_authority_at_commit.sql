-- Each write transaction of a person or of a SCIM token ends with one of these (platform/authority.ts).
-- The statement sees what was committed while the transaction waited for a body, a host, or a lock, and
-- takes no lock itself. The error aborts the transaction, so that the commit behind it rolls back.
-- `clock_timestamp`, since `now` is the begin of the transaction.

-- As the statement `scim_token_by_hash` (scim/admit-token.ts).
create function require_scim_token(token uuid, org uuid) returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select from scim_tokens t
    where t.org_id = org and t.id = token and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp())
  ) then
    raise exception 'the token has ended' using errcode = 'RA004';
  end if;
end $$;
revoke all on function require_scim_token(uuid, uuid) from public;
