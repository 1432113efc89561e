-- A change may wait while its organization begins to require two factors. Personal API tokens are asked for them when
-- it is committed (migration 0063); so are sessions, for what needs a permission.
create function require_session(session uuid, account uuid, org uuid, roles text[], strong boolean) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform require_session(session, account, org, roles);
  if strong and exists (
    select from sign_in_policies p join sessions s on s.id = session
    where p.org_id = org and p.two_factor_required_at is not null
      and not s.two_factors and s.sso_org_id is null
  ) then
    raise exception 'the session lacks a second factor' using errcode = 'RA006';
  end if;
end $$;
revoke all on function require_session(uuid, uuid, uuid, text[], boolean) from public;
