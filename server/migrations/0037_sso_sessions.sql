-- A sign-in locks its connection before it begins a session, and then looks at the domain and the connection
-- again (auth/still-proved.ts). What ends their sessions waits for that lock here, and finds the session, or
-- the sign-in waits and finds the change. The accounts are locked before their sessions, in the order of a
-- member's own changes.
create or replace function end_sso_sessions(org uuid, of_domain text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  concerned uuid[] := array(
    select a.id from accounts a join memberships m on m.account_id = a.id and m.org_id = org
    where split_part(a.email, '@', 2) = of_domain);
begin
  perform 1 from accounts where id = any (concerned) order by id for no key update;
  delete from sessions s using accounts a
  where s.sso_org_id = org and a.id = s.account_id and split_part(a.email, '@', 2) = of_domain
    and s.id::text is distinct from current_setting('app.kept_session', true);
end $$;

create or replace function end_sso_sessions_of_domain() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from sso_connections where org_id = old.org_id and id = old.connection_id for no key update;
  perform end_sso_sessions(old.org_id, old.domain);
  return null;
end $$;
