-- A session that nobody used for seven days is over, and not only one of thirty.
create or replace function find_session(hash bytea)
returns table (
  session_id uuid, created_at timestamptz, last_seen_at timestamptz, method text,
  two_factors boolean, confirmed_at timestamptz, rotate boolean, account_id uuid, email text,
  first_name text, last_name text, profile_image_url text, language text, role text, org_id uuid,
  email_unverified boolean, two_factor_required boolean
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.created_at, s.last_seen_at, s.method, s.two_factors, s.confirmed_at, s.rotate,
         a.id, a.email, a.first_name, a.last_name, a.profile_image_url, a.language, m.role, m.org_id,
         a.email_verified_at is null
           and exists (select 1 from email_verifications v where v.account_id = a.id),
         p.two_factor_required_at is not null
  from sessions s
  join accounts a on a.id = s.account_id
  left join memberships m on m.account_id = a.id
  left join sign_in_policies p on p.org_id = m.org_id
  where s.expires_at > now() and s.last_seen_at > now() - interval '7 days'
    and (s.token_hash = hash or (s.previous_token_hash = hash and s.previous_until > now()))
$$;
