-- The language that a person chose; null leaves it to their browser.
alter table accounts
  add column language text,
  add constraint accounts_language check (language in ('en', 'de'));

-- Whose session it is, as before, with the language.
drop function find_session(bytea);
create function find_session(hash bytea)
returns table (
  session_id uuid, last_seen_at timestamptz, account_id uuid, email text, first_name text,
  last_name text, profile_image_url text, language text, role text, org_id uuid
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.last_seen_at, a.id, a.email, a.first_name, a.last_name, a.profile_image_url,
         a.language, m.role, m.org_id
  from sessions s
  join accounts a on a.id = s.account_id
  left join memberships m on m.account_id = a.id
  where s.token_hash = hash and s.expires_at > now()
$$;

revoke all on all functions in schema public from public;
