-- A takeover (team/end-unproved-membership.ts) undoes what others have prepared in the organization of an only admin.
-- The account's own sessions are waited for, and then refused (migration 0035). So is everyone else who acts with the
-- rights of an admin there, and whatever makes somebody an admin: with a lock of the organization, which the takeover
-- takes exclusively. Who holds it shared until the commit is waited for. Nobody waits for the takeover, because they may
-- hold locks that it needs. While a takeover is left to be finished later, its row refuses in place of the lock.
create function admits_rights_of_admins(org uuid) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('takeover of ' || org::text, 0)) then
    return false;
  end if;
  -- A statement of its own, which sees what was committed before the lock was free.
  return not keeps_guests_out(org);
end $$;
revoke all on function admits_rights_of_admins(uuid) from public;

-- The takeover revokes these tokens. As migration 0027.
create or replace function require_scim_token(token uuid, org uuid) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if not admits_rights_of_admins(org) then
    raise exception 'the token is about to end' using errcode = 'RA004';
  end if;
  if not exists (
    select from scim_tokens t
    where t.org_id = org and t.id = token and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > clock_timestamp())
  ) then
    raise exception 'the token has ended' using errcode = 'RA004';
  end if;
end $$;

-- As migration 0063.
create or replace function require_api_token(token uuid, org uuid, roles text[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  found_token record;
begin
  if not admits_rights_of_admins(org) then
    raise exception 'the token is about to end' using errcode = 'RA005';
  end if;
  select t.account_id, m.role, c.admits and c.is_strong as admits into found_token
  from api_tokens t
  left join memberships m on m.org_id = t.org_id and m.account_id = t.account_id
  left join lateral api_token_admits(t.account_id, t.org_id, t.sso_org_id, t.two_factors) c
    on t.account_id is not null
  where t.id = token and t.org_id = org and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > clock_timestamp());
  if not found or found_token.account_id is not null and not coalesce(found_token.admits, false) then
    raise exception 'the token has ended' using errcode = 'RA005';
  end if;
  if found_token.account_id is not null and not coalesce(found_token.role = any (roles), false) then
    raise exception 'the role does not suffice any more' using errcode = 'RA003';
  end if;
end $$;

-- Of the organization's other sessions, only those of admins are refused during a takeover: of somebody who is just
-- leaving. Other members stay, so what they do in that moment they could do afterward. What any of them is about to
-- commit is waited for. The lock comes before the look at the membership, which may end while it is held.
create or replace function require_session(session uuid, account uuid, org uuid, roles text[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  role_now text;
  is_free boolean := true;
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('takeover ' || account::text, 0)) then
    raise exception 'the session is about to end' using errcode = 'RA001';
  end if;
  if org is not null then
    is_free := pg_try_advisory_xact_lock_shared(hashtextextended('takeover of ' || org::text, 0));
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
  if not is_free and role_now in ('ORGADMIN', 'SUPERADMIN') then
    raise exception 'the organization is being taken over' using errcode = '55P03';
  end if;
end $$;

-- By a directory, an identity provider, an invitation, or another admin. Only the operator makes the first super admin.
create function refuse_admin_during_takeover() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not admits_rights_of_admins(new.org_id) then
    raise exception 'the organization is being taken over' using errcode = '55P03';
  end if;
  return new;
end $$;
revoke all on function refuse_admin_during_takeover() from public;
create trigger memberships_begin_as_admin before insert on memberships
  for each row when (new.role = 'ORGADMIN') execute function refuse_admin_during_takeover();
create trigger memberships_become_admin before update of role on memberships
  for each row when (new.role = 'ORGADMIN' and old.role is distinct from new.role)
  execute function refuse_admin_during_takeover();
