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

-- The domains whose addresses can sign in by single sign-on: verified, and assigned to a connection that is on.
-- Row-level security applies to who asks.
create function sso_domains_in_use()
returns table (org_id uuid, domain text, connection_id uuid, enabled_at timestamptz)
language sql stable as $$
  select d.org_id, d.domain, d.connection_id, c.enabled_at from sso_domains d
  join sso_connections c on c.org_id = d.org_id and c.id = d.connection_id
  where d.verified_at is not null and c.enabled_at is not null
$$;

-- The members whom required single sign-on binds: those who can sign in by it, except operators and
-- emergency admins.
create function members_bound_by_sso() returns table (org_id uuid, account_id uuid)
language sql stable as $$
  select m.org_id, m.account_id from memberships m
  join accounts a on a.id = m.account_id
  join sso_policies p on p.org_id = m.org_id and p.required_at is not null
  join sso_domains_in_use() d on d.org_id = m.org_id and d.domain = split_part(a.email, '@', 2)
  where m.role <> 'SUPERADMIN' and not exists (
    select from sso_break_glass b
    where b.org_id = m.org_id and b.account_id = m.account_id and m.role = 'ORGADMIN')
$$;

create or replace function sso_required_of(account uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from members_bound_by_sso() b where b.account_id = account)
$$;

revoke all on function sso_domains_in_use() from public;
revoke all on function members_bound_by_sso() from public;

-- Ends the sessions that an organization's required single sign-on refuses, and with them their sockets:
-- otherwise they would be valid again once it is not required any more. The session that makes the change goes on, as
-- the one does in which single sign-on was required.
create function end_sessions_without_sso(org uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  bound uuid[] := array(select b.account_id from members_bound_by_sso() b where b.org_id = org);
begin
  perform 1 from accounts where id = any (bound) order by id for no key update;
  update sessions set kept_without_sso_in = org
  where account_id = any (bound) and sso_org_id is null
    and id::text = current_setting('app.kept_session', true);
  delete from sessions
  where account_id = any (bound) and sso_org_id is null and kept_without_sso_in is distinct from org;
end $$;

-- What makes addresses subject to required single sign-on: the domain's verification, its connection, and that
-- connection's being on. The requirement itself ends sessions where it is made (sso/policy-store.ts).
create function end_sessions_without_sso_of_row() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_sessions_without_sso(new.org_id);
  return null;
end $$;
create trigger sso_domains_begin_binding after insert on sso_domains
  for each row when (new.verified_at is not null and new.connection_id is not null)
  execute function end_sessions_without_sso_of_row();
create trigger sso_domains_change_binding after update of verified_at, connection_id on sso_domains
  for each row when (new.verified_at is not null and new.connection_id is not null
    and (old.verified_at is null or new.connection_id is distinct from old.connection_id))
  execute function end_sessions_without_sso_of_row();
create trigger sso_connections_begin_binding after update of enabled_at on sso_connections
  for each row when (old.enabled_at is null and new.enabled_at is not null)
  execute function end_sessions_without_sso_of_row();

revoke all on function end_sessions_without_sso(uuid) from public;
revoke all on function end_sessions_without_sso_of_row() from public;

-- The same for one member, who may have been an emergency admin, or have required single sign-on as an admin:
-- the session that goes on for that reason ends with the role. A person who joins keeps the session in which
-- they do so, until they have joined (team/join-by-invitation.ts).
create function end_sessions_without_sso_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most members have none, and a directory changes thousands of roles in one transaction.
  if not exists (select from sessions
    where account_id = new.account_id and sso_org_id is null
      and (kept_without_sso_in = new.org_id or sso_required_of(account_id))) then
    return null;
  end if;
  perform 1 from accounts where id = new.account_id for no key update;
  update sessions set kept_without_sso_in = null
  where account_id = new.account_id and kept_without_sso_in = new.org_id;
  delete from sessions
  where account_id = new.account_id and sso_org_id is null and sso_required_of(account_id)
    and id::text is distinct from current_setting('app.kept_session', true);
  return null;
end $$;
revoke all on function end_sessions_without_sso_of_member() from public;
create trigger memberships_begin_binding after insert on memberships
  for each row execute function end_sessions_without_sso_of_member();
create trigger memberships_change_binding after update of role on memberships
  for each row when (old.role is distinct from new.role)
  execute function end_sessions_without_sso_of_member();

-- A connection that gets another provider also gets another time of enabling (sso/connection-store.ts): the
-- sessions that the former one began end.
drop trigger sso_connections_end_sessions on sso_connections;
create trigger sso_connections_end_sessions after update of enabled_at on sso_connections
  for each row when (old.enabled_at is not null and new.enabled_at is distinct from old.enabled_at)
  execute function end_sso_sessions_of_connection();

-- Without any factor, no session of the account counts as one of two factors, whatever removed the last one.
-- Those of an identity provider do not depend on it.
create function weaken_sessions_without_factor() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set two_factors = false
  where account_id = old.account_id and two_factors and sso_org_id is null
    and not exists (select from totp_factors f
      where f.account_id = old.account_id and f.confirmed_at is not null)
    and not exists (select from passkeys p where p.account_id = old.account_id);
  return null;
end $$;
revoke all on function weaken_sessions_without_factor() from public;
create trigger totp_factors_weaken_sessions after delete on totp_factors
  for each row when (old.confirmed_at is not null) execute function weaken_sessions_without_factor();
create trigger passkeys_weaken_sessions after delete on passkeys
  for each row execute function weaken_sessions_without_factor();

-- Those that were refused before this version.
delete from sessions s using members_bound_by_sso() b
where b.account_id = s.account_id and s.sso_org_id is null
  and s.kept_without_sso_in is distinct from b.org_id;
update sessions s set two_factors = false
where s.two_factors and s.sso_org_id is null
  and not exists (select from totp_factors f
    where f.account_id = s.account_id and f.confirmed_at is not null)
  and not exists (select from passkeys p where p.account_id = s.account_id);
