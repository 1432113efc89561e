-- Each write transaction of a person or of a SCIM token ends with one of these (platform/authority.ts).
-- The statement sees what was committed while the transaction waited for a body, a host, or a lock, and
-- takes no lock itself. The error aborts the transaction, so that the commit behind it rolls back.
-- `clock_timestamp`, since `now` is the begin of the transaction.

-- As find_session: not over by time. `org` is null for what lies outside of the organizations.
create function require_session(session uuid, account uuid, org uuid, roles text[]) returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  role_now text;
begin
  select m.role into role_now
  from sessions s
  left join memberships m on m.org_id = org and m.account_id = s.account_id
  where s.id = session and s.account_id = account and s.expires_at > clock_timestamp()
    and s.last_seen_at > clock_timestamp() - interval '7 days';
  if not found then
    raise exception 'the session has ended' using errcode = 'RA001';
  end if;
  if org is null then return; end if;
  if role_now is null then
    raise exception 'the membership has ended' using errcode = 'RA002';
  end if;
  if role_now <> all (roles) then
    raise exception 'the role does not suffice any more' using errcode = 'RA003';
  end if;
end $$;
revoke all on function require_session(uuid, uuid, uuid, text[]) from public;

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
