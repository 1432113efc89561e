-- Whoever takes an account over (team/end-unproved-membership.ts) first waits for the writes in its sessions
-- that are about to be committed, and then sees them. Writes that come later fail here instead of waiting:
-- they may hold locks that the takeover needs. Volatile, so that each statement sees what is committed by then.
create or replace function require_session(session uuid, account uuid, org uuid, roles text[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  role_now text;
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('takeover ' || account::text, 0)) then
    raise exception 'the session is about to end' using errcode = 'RA001';
  end if;
  select m.role into role_now
  from sessions s
  left join memberships m on m.org_id = org and m.account_id = s.account_id
  left join sso_policies q on q.org_id = m.org_id
  where s.id = session and s.account_id = account and s.expires_at > clock_timestamp()
    and s.last_seen_at > clock_timestamp() - interval '7 days'
    and session_admits(s.sso_org_id, s.kept_without_sso_in = m.org_id, account, m.org_id, q.required_at);
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

-- An identity provider answers for the addresses of its organization's verified domains only. So single
-- sign-on is required of those: members with other addresses could not sign in at all, not even to leave.
create or replace function sso_required_of(account uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from memberships m
    join accounts a on a.id = m.account_id
    join sso_policies p on p.org_id = m.org_id and p.required_at is not null
    where m.account_id = account and m.role <> 'SUPERADMIN'
      and sso_organization_of_domain(split_part(a.email, '@', 2)) = m.org_id
      and not exists (
        select from sso_break_glass b
        where b.org_id = m.org_id and b.account_id = m.account_id and m.role = 'ORGADMIN')
  )
$$;

-- A session that single sign-on began ends with what answered for its address: the domain's verification, its
-- connection, or that connection's being enabled. The session that makes the change stays.
create function end_sso_sessions(org uuid, of_domain text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from sessions s using accounts a
  where s.sso_org_id = org and a.id = s.account_id and split_part(a.email, '@', 2) = of_domain
    and s.id::text is distinct from current_setting('app.kept_session', true)
$$;
create index sessions_of_sso on sessions (sso_org_id) where sso_org_id is not null;

create function end_sso_sessions_of_domain() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_sso_sessions(old.org_id, old.domain);
  return null;
end $$;
create trigger sso_domains_end_sessions after delete on sso_domains
  for each row when (old.verified_at is not null)
  execute function end_sso_sessions_of_domain();
create trigger sso_domains_change_end_sessions after update of verified_at, connection_id on sso_domains
  for each row when (old.verified_at is not null and old.connection_id is not null
    and (new.verified_at is null or new.connection_id is distinct from old.connection_id))
  execute function end_sso_sessions_of_domain();

create function end_sso_sessions_of_connection() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_sso_sessions(d.org_id, d.domain) from sso_domains d
  where d.org_id = old.org_id and d.connection_id = old.id;
  return null;
end $$;
create trigger sso_connections_end_sessions after update of enabled_at on sso_connections
  for each row when (old.enabled_at is not null and new.enabled_at is null)
  execute function end_sso_sessions_of_connection();

revoke all on function end_sso_sessions(uuid, text) from public;
revoke all on function end_sso_sessions_of_domain() from public;
revoke all on function end_sso_sessions_of_connection() from public;

-- Whether the decision on a guest in the lobby still admits them: it is no older than half a day, and than the
-- lobby, and was made by someone who may still run calls.
create function lobby_admits(entry lobby_entries, lobby_since timestamptz, roles text[]) returns boolean
language sql stable as $$
  select entry.state = 'admitted' and entry.decided_at > now() - interval '12 hours'
    and entry.decided_at >= coalesce(lobby_since, '-infinity')
    and exists (select from memberships m
      where m.org_id = entry.org_id and m.account_id = entry.decided_by and m.role = any (roles))
$$;
revoke all on function lobby_admits(lobby_entries, timestamptz, text[]) from public;

-- Guests are looked up again when all admissions of their organization have ended.
create function tell_guests_of(org uuid) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('revocations', json_build_object('kind', 'guests', 'orgId', org)::text)
$$;
