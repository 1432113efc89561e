-- A session that single sign-on began is worth something in the organization whose identity provider
-- answered for it, and in no other. What an organization requires is asked at each look-up, so that no
-- session slips past that began, or came into the organization, while the requirement was made.
alter table sessions add column sso_org_id uuid;
-- The session in which an organization's single sign-on was required goes on there.
alter table sessions add column kept_without_sso_in uuid;
update sessions s set sso_org_id = m.org_id
  from memberships m where m.account_id = s.account_id and s.method in ('oidc', 'saml');
-- In no organization nobody knows which one answered for it.
delete from sessions where method in ('oidc', 'saml') and sso_org_id is null;
alter table sessions add constraint sessions_sso check ((method in ('oidc', 'saml')) = (sso_org_id is not null));

-- A single expression without options of its own: PostgreSQL puts it into the query that calls it.
create function session_admits(
  sso_org uuid, kept boolean, account uuid, org uuid, required_at timestamptz
) returns boolean
language sql stable as $$
  select case
    when sso_org is null then required_at is null or kept or not sso_required_of(account)
    else org is null or org = sso_org
  end
$$;

drop function find_session(bytea);
create function find_session(hash bytea)
returns table (
  session_id uuid, created_at timestamptz, last_seen_at timestamptz, method text,
  two_factors boolean, confirmed_at timestamptz, rotate boolean, account_id uuid, email text,
  first_name text, last_name text, profile_image_url text, language text, role text, org_id uuid,
  email_unverified boolean, two_factor_required boolean, sso_org_id uuid
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.created_at, s.last_seen_at, s.method, s.two_factors, s.confirmed_at, s.rotate,
         a.id, a.email, a.first_name, a.last_name, a.profile_image_url, a.language, m.role, m.org_id,
         a.email_verified_at is null
           and exists (select 1 from email_verifications v where v.account_id = a.id),
         p.two_factor_required_at is not null, s.sso_org_id
  from sessions s
  join accounts a on a.id = s.account_id
  left join memberships m on m.account_id = a.id
  left join sign_in_policies p on p.org_id = m.org_id
  left join sso_policies q on q.org_id = m.org_id
  where s.expires_at > now() and s.last_seen_at > now() - interval '7 days'
    and (s.token_hash = hash or (s.previous_token_hash = hash and s.previous_until > now()))
    and session_admits(s.sso_org_id, s.kept_without_sso_in = m.org_id, a.id, m.org_id, q.required_at)
$$;
-- As find_session: not over by time, and enough for the organization. `org` is null for what lies outside
-- of the organizations. See 0027.
create function require_session(session uuid, account uuid, org uuid, roles text[]) returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  role_now text;
begin
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

revoke all on function session_admits(uuid, boolean, uuid, uuid, timestamptz) from public;
revoke all on function find_session(bytea) from public;
revoke all on function require_session(uuid, uuid, uuid, text[]) from public;
