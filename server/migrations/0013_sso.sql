-- Single sign-on of an organisation: the domains that it proved to be its own, its connections to
-- identity providers, who must use them, and each sign-in on its way there and back.

create table sso_domains (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  domain text not null,
  token text not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  verified_at timestamptz,
  -- Since when the record of a verified domain has not been found any more.
  missing_since timestamptz,
  constraint sso_domains_once unique (org_id, domain),
  constraint sso_domains_lower_case check (domain = lower(domain)),
  constraint sso_domains_missing check (missing_since is null or verified_at is not null)
);
-- Anybody may claim a domain; whoever proves it has it.
create unique index sso_domains_one_owner on sso_domains (domain) where verified_at is not null;

create table sso_connections (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  kind text not null,
  name text not null,
  enabled_at timestamptz,
  enabled_by uuid references accounts (id) on delete set null,
  allow_idp_initiated boolean not null default false,
  default_role text not null default 'AGENT',
  role_claim text,
  role_rules jsonb not null default '[]',
  issuer text,
  client_id text,
  client_secret_sealed text,
  entity_id text,
  sso_url text,
  certificates text[] not null default '{}',
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint sso_connections_org_key unique (org_id, id),
  constraint sso_connections_kind check (kind in ('oidc', 'saml')),
  constraint sso_connections_default_role check (default_role in ('ORGADMIN', 'AGENT', 'VIEWER')),
  constraint sso_connections_enabled_is_complete check (enabled_at is null or case kind
    when 'oidc' then issuer is not null and client_id is not null and client_secret_sealed is not null
    else entity_id is not null and sso_url is not null and cardinality(certificates) > 0 end)
);

-- Whom an identity provider means by its own name for a person.
create table sso_identities (
  org_id uuid not null,
  connection_id uuid not null,
  subject text not null,
  account_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (connection_id, subject),
  constraint sso_identities_connection foreign key (org_id, connection_id)
    references sso_connections (org_id, id) on delete cascade,
  constraint sso_identities_member foreign key (org_id, account_id)
    references memberships (org_id, account_id) on delete cascade
);
create index sso_identities_of_member on sso_identities (org_id, account_id);

create table sso_flows (
  id uuid primary key,
  org_id uuid not null,
  connection_id uuid not null,
  purpose text not null,
  -- Of the cookie of the browser that began it; no other may finish it.
  browser_hash bytea not null,
  -- OIDC's nonce and PKCE verifier.
  nonce text,
  code_verifier text,
  next text,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- What a SAML response said, until the browser that began fetches it.
  asserted jsonb,
  answered_at timestamptz,
  finished_at timestamptz,
  result jsonb,
  constraint sso_flows_connection foreign key (org_id, connection_id)
    references sso_connections (org_id, id) on delete cascade,
  constraint sso_flows_purpose check (purpose in ('sign-in', 'test'))
);
create index sso_flows_connection on sso_flows (org_id, connection_id);
create index sso_flows_expires_at on sso_flows (expires_at);

-- SAML assertions that were accepted: none is a second time.
create table sso_assertions (
  org_id uuid not null,
  connection_id uuid not null,
  assertion_id text not null,
  expires_at timestamptz not null,
  primary key (connection_id, assertion_id),
  constraint sso_assertions_connection foreign key (org_id, connection_id)
    references sso_connections (org_id, id) on delete cascade
);
create index sso_assertions_expires_at on sso_assertions (expires_at);

create table sso_policies (
  org_id uuid primary key references organizations (id) on delete cascade,
  required_at timestamptz,
  required_by uuid references accounts (id) on delete set null
);

-- Admins who may sign in by password although single sign-on is required.
create table sso_break_glass (
  org_id uuid not null,
  account_id uuid not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (org_id, account_id),
  constraint sso_break_glass_member foreign key (org_id, account_id)
    references memberships (org_id, account_id) on delete cascade
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'sso_domains', 'sso_connections', 'sso_identities', 'sso_flows', 'sso_assertions',
    'sso_policies', 'sso_break_glass'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Whose domain it is; null for nobody's.
create function sso_organization_of_domain(given text) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select org_id from sso_domains where domain = given and verified_at is not null
$$;

create function sso_organization_of_connection(given uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select org_id from sso_connections where id = given
$$;

-- Whether this account has to sign in by single sign-on. The operator's own accounts never have to:
-- an organisation's identity provider gives nobody their rights.
create function sso_required_of(account uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from memberships m
    join sso_policies p on p.org_id = m.org_id and p.required_at is not null
    where m.account_id = account and m.role <> 'SUPERADMIN' and not exists (
      select from sso_break_glass b
      where b.org_id = m.org_id and b.account_id = m.account_id and m.role = 'ORGADMIN'))
$$;

create function sso_domains_to_check() returns table (org_id uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.id from sso_domains d
  where d.verified_at is not null or d.created_at > now() - interval '14 days'
$$;

create function forget_sso_flows() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from sso_flows where expires_at < now() - interval '1 hour';
  delete from sso_assertions where expires_at < now() - interval '1 hour';
$$;
revoke all on function sso_organization_of_domain(text) from public;
revoke all on function sso_organization_of_connection(uuid) from public;
revoke all on function sso_required_of(uuid) from public;
revoke all on function sso_domains_to_check() from public;
revoke all on function forget_sso_flows() from public;
