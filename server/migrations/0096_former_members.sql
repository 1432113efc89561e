-- What an organization knows of people who have left it: their name and address as they were, and who they were at its
-- identity provider. Their account is theirs, and may be in another organization now.
create table former_members (
  org_id uuid not null references organizations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  first_name text not null,
  last_name text not null,
  email text not null,
  left_at timestamptz not null default now(),
  primary key (org_id, account_id)
);
create index former_members_of_account on former_members (account_id);

-- Of ended memberships. The subject itself is not needed any more.
create table former_identities (
  org_id uuid not null,
  connection_id uuid not null,
  identity_hash bytea not null,
  account_id uuid not null references accounts (id) on delete cascade,
  primary key (connection_id, account_id, identity_hash),
  constraint former_identities_connection foreign key (org_id, connection_id)
    references sso_connections (org_id, id) on delete cascade
);
create index former_identities_of_account on former_identities (account_id);
create index former_identities_of_connection on former_identities (org_id, connection_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['former_members', 'former_identities'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Of a deleted account or organization nothing is kept: its row is gone already when its memberships follow.
create function note_former_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into former_members (org_id, account_id, first_name, last_name, email)
  select old.org_id, a.id, a.first_name, a.last_name, a.email from accounts a
  where a.id = old.account_id and exists (select from organizations o where o.id = old.org_id)
  on conflict (org_id, account_id) do update set first_name = excluded.first_name,
    last_name = excluded.last_name, email = excluded.email, left_at = excluded.left_at;
  return null;
end $$;
revoke all on function note_former_member() from public;
create trigger memberships_note_former after delete on memberships
  for each row execute function note_former_member();

create function forget_former_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from former_members where org_id = new.org_id and account_id = new.account_id;
  return null;
end $$;
revoke all on function forget_former_member() from public;
create trigger memberships_forget_former after insert on memberships
  for each row execute function forget_former_member();

create or replace function note_end_of_identity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  identity bytea := hash_of_identity(old.connection_id, old.subject);
begin
  perform note_ended_proofs(old.org_id, array[identity]);
  insert into former_identities (org_id, connection_id, identity_hash, account_id)
  select old.org_id, c.id, identity, a.id from accounts a, sso_connections c
  where a.id = old.account_id and c.org_id = old.org_id and c.id = old.connection_id
  on conflict do nothing;
  return null;
end $$;

-- Another provider, or another client of it, may know the same people by other subjects.
create function forget_former_identities() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from former_identities where org_id = new.org_id and connection_id = new.id;
  return null;
end $$;
revoke all on function forget_former_identities() from public;
create trigger sso_connections_forget_former_identities
  after update of issuer, client_id, entity_id on sso_connections
  for each row when ((old.issuer, old.client_id, old.entity_id)
    is distinct from (new.issuer, new.client_id, new.entity_id))
  execute function forget_former_identities();

-- Accounts as the organization of the connection may show them.
create view known_people with (security_invoker = true) as
select a.id, coalesce(f.first_name, a.first_name) as first_name, coalesce(f.last_name, a.last_name) as last_name,
  coalesce(f.email, a.email) as email,
  case when f.account_id is null then a.profile_image_url end as profile_image_url
from accounts a
left join former_members f on f.account_id = a.id and a.deleted_at is null
  and f.org_id = nullif(current_setting('app.tenant', true), '')::uuid;
