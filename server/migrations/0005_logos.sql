-- The organisation's logo: a file of its own, and no other organisation's.
alter table files add constraint files_org_key unique (org_id, id);
alter table organizations
  add column logo_file_id uuid,
  add constraint organizations_logo foreign key (id, logo_file_id) references files (org_id, id);

-- A logo is public: guests see it, and mails. Its address names the file alone.
create function find_logo(file uuid) returns table (key text, content_type text, size_bytes bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.key, f.content_type, f.size_bytes
  from files f join organizations o on o.id = f.org_id and o.logo_file_id = f.id
  where f.id = file and f.kind = 'logo'
$$;

-- Organisations that have logos which were replaced or removed, and are still kept.
create function organizations_with_old_logos() returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct f.org_id
  from files f join organizations o on o.id = f.org_id
  where f.kind = 'logo' and o.logo_file_id is distinct from f.id
$$;

-- How an account's mails look: as its organisation.
create function find_brand_of_account(account uuid)
returns table (name text, brand_color text, logo_file_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.name, o.brand_color, o.logo_file_id
  from memberships m join organizations o on o.id = m.org_id
  where m.account_id = account
$$;

revoke all on all functions in schema public from public;
