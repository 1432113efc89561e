-- How people sign in: by what, from which devices, with what second factor.

-- `two_factors`: the session began with two, or by one that counts as two (a passkey).
-- `confirmed_at`: when the person last proved that it is them; changes to the sign-in ask for it anew.
-- `rotate`: the next request gets another token; the one before is good for a moment longer, for
-- requests that were on their way.
alter table sessions
  add column method text not null default 'password',
  add column two_factors boolean not null default false,
  add column confirmed_at timestamptz not null default now(),
  add column device_id uuid,
  add column rotate boolean not null default false,
  add column previous_token_hash bytea,
  add column previous_until timestamptz,
  add constraint sessions_method
    check (method in ('password', 'passkey', 'oidc', 'saml', 'register'));
update sessions set confirmed_at = created_at;
create unique index sessions_previous_token_hash on sessions (previous_token_hash)
  where previous_token_hash is not null;

-- The browsers that an account has signed in from, by the id in their cookie.
create table account_devices (
  account_id uuid not null references accounts (id) on delete cascade,
  device_id uuid not null,
  browser text,
  system text,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (account_id, device_id)
);

-- Failed tries by what they are counted for (account, address, device), as a hash. Not worth a
-- place in the write-ahead log: after a crash of the database everybody starts anew.
create unlogged table failed_tries (
  key bytea primary key,
  failures real not null,
  counted_at timestamptz not null,
  free_at timestamptz not null
);
create index failed_tries_counted_at on failed_tries (counted_at);

-- Second factors. Secrets are sealed by the application (server/platform/seal.ts).
create table totp_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  sealed_secret text not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The step of the last code that was taken: neither it nor an earlier one is taken again.
  last_step bigint
);

create table recovery_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  backed_up boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_credential_id_key unique (credential_id)
);
create index passkeys_of_account on passkeys (account_id, id);

create table passkey_challenges (
  challenge text primary key,
  -- Null for signing in: who it is, the passkey says.
  account_id uuid references accounts (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

create table email_verifications (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint email_verifications_token_hash_key unique (token_hash)
);
create index email_verifications_of_account on email_verifications (account_id, id desc);

-- What an organisation asks of its members' sign-in.
create table sign_in_policies (
  org_id uuid primary key references organizations (id) on delete cascade,
  two_factor_required_at timestamptz,
  two_factor_required_by uuid references accounts (id) on delete set null
);
alter table sign_in_policies enable row level security;
alter table sign_in_policies force row level security;
create policy tenant on sign_in_policies
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on sign_in_policies to current_user using (true);

drop function find_session(bytea);
create function find_session(hash bytea)
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
  where s.expires_at > now()
    and (s.token_hash = hash or (s.previous_token_hash = hash and s.previous_until > now()))
$$;

revoke all on all functions in schema public from public;
