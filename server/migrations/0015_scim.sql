-- Provisioning by an organisation's directory (SCIM 2.0, RFC 7643 and 7644).

create table scim_tokens (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  name text not null,
  token_hash bytea not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  -- Set when it is rotated: the new one works at once, this one until `expires_at`.
  replaced_by uuid,
  revoked_at timestamptz,
  revoked_by uuid references accounts (id) on delete set null,
  constraint scim_tokens_org_key unique (org_id, id),
  constraint scim_tokens_hash_key unique (token_hash),
  constraint scim_tokens_name check (length(name) between 1 and 100),
  constraint scim_tokens_replacement foreign key (org_id, replaced_by)
    references scim_tokens (org_id, id) on delete cascade
);

create table scim_settings (
  org_id uuid primary key references organizations (id) on delete cascade,
  default_role text not null,
  updated_by uuid references accounts (id) on delete set null,
  updated_at timestamptz not null default now(),
  constraint scim_settings_default_role check (default_role in ('AGENT', 'VIEWER'))
);

-- Every member as a directory sees them, and those whom it has deactivated.
create table scim_users (
  org_id uuid not null references organizations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  user_name text not null,
  external_id text,
  -- What the directory says beside that: name, emails, the enterprise extension and so on.
  attributes jsonb not null default '{}',
  version integer not null default 1,
  -- Null while no directory has touched this member.
  provisioned_at timestamptz,
  -- Set where provisioning made the account itself: only then may it change how the person signs in.
  account_made_at timestamptz,
  -- Set exactly while there is no membership.
  deactivated_at timestamptz,
  last_role text,
  role_from_groups text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, account_id),
  constraint scim_users_role_from_groups check (role_from_groups in ('ORGADMIN', 'AGENT', 'VIEWER'))
);
create unique index scim_users_user_name on scim_users (org_id, lower(user_name));
create index scim_users_external_id on scim_users (org_id, external_id);

create table scim_groups (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  display_name text not null,
  external_id text,
  -- What its people become; who said so, and when.
  role text,
  role_set_by uuid references accounts (id) on delete set null,
  role_set_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scim_groups_org_key unique (org_id, id),
  constraint scim_groups_role check (role in ('ORGADMIN', 'AGENT', 'VIEWER'))
);
create unique index scim_groups_display_name on scim_groups (org_id, lower(display_name));
create index scim_groups_external_id on scim_groups (org_id, external_id);

create table scim_group_members (
  org_id uuid not null,
  group_id uuid not null,
  account_id uuid not null,
  primary key (org_id, group_id, account_id),
  constraint scim_group_members_group foreign key (org_id, group_id)
    references scim_groups (org_id, id) on delete cascade,
  constraint scim_group_members_user foreign key (org_id, account_id)
    references scim_users (org_id, account_id) on delete cascade
);
create index scim_group_members_of_user on scim_group_members (org_id, account_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'scim_tokens', 'scim_settings', 'scim_users', 'scim_groups', 'scim_group_members'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Keeps `scim_users` in step with the memberships, whoever changes those: a member who came by an
-- invitation is found by the directory too, and one who is removed by hand is inactive there.
create function mirror_member_for_scim() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from scim_users
    where org_id = old.org_id and account_id = old.account_id and provisioned_at is null;
    update scim_users
    set deactivated_at = now(), last_role = old.role, version = version + 1, updated_at = now()
    where org_id = old.org_id and account_id = old.account_id and deactivated_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into scim_users (org_id, account_id, user_name, attributes)
    select new.org_id, a.id,
      case when exists (
        select 1 from scim_users s
        where s.org_id = new.org_id and lower(s.user_name) = lower(a.email) and s.account_id <> a.id
      ) then a.id::text else a.email end,
      jsonb_build_object(
        'name', jsonb_build_object('givenName', a.first_name, 'familyName', a.last_name),
        'emails', jsonb_build_array(
          jsonb_build_object('value', a.email, 'type', 'work', 'primary', true)))
    from accounts a where a.id = new.account_id
    on conflict (org_id, account_id) do update
    set deactivated_at = null, version = scim_users.version + 1, updated_at = now()
    where scim_users.deactivated_at is not null;
  end if;
  return null;
end $$;
revoke all on function mirror_member_for_scim() from public;

insert into scim_users (org_id, account_id, user_name, attributes)
select m.org_id, a.id, a.email,
  jsonb_build_object(
    'name', jsonb_build_object('givenName', a.first_name, 'familyName', a.last_name),
    'emails', jsonb_build_array(
      jsonb_build_object('value', a.email, 'type', 'work', 'primary', true)))
from memberships m join accounts a on a.id = m.account_id;

create trigger memberships_mirrored_for_scim
  after insert or delete or update of org_id, account_id on memberships
  for each row execute function mirror_member_for_scim();
