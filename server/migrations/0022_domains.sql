-- A verified domain belongs to one connection, which speaks for that domain's addresses alone.
alter table sso_domains
  add column connection_id uuid,
  add constraint sso_domains_connection foreign key (org_id, connection_id)
    references sso_connections (org_id, id) on delete set null (connection_id);
create index sso_domains_of_connection on sso_domains (org_id, connection_id);

-- With one connection there is no choice; with several an admin chooses.
update sso_domains d set connection_id = c.id
from sso_connections c
where c.org_id = d.org_id
  and not exists (select from sso_connections o where o.org_id = c.org_id and o.id <> c.id);

-- When this account was first an admin of the organization: provisioning never changes how an
-- admin, or a former one, signs in.
alter table scim_users add column admin_at timestamptz;

update scim_users s set admin_at = now()
where s.last_role in ('ORGADMIN', 'SUPERADMIN') or s.role_from_groups = 'ORGADMIN'
  or exists (
    select from memberships m
    where m.org_id = s.org_id and m.account_id = s.account_id and m.role in ('ORGADMIN', 'SUPERADMIN'))
  or exists (
    select from audit_events e
    where e.org_id = s.org_id and e.action = 'ROLE_UPDATED' and e.entity_id = s.account_id
      and (e.metadata -> 'role' ->> 'from' in ('ORGADMIN', 'SUPERADMIN')
        or e.metadata -> 'role' ->> 'to' in ('ORGADMIN', 'SUPERADMIN')));

create function note_admin_for_scim() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update scim_users set admin_at = now()
  where org_id = new.org_id and account_id = new.account_id and admin_at is null;
  return null;
end $$;
revoke all on function note_admin_for_scim() from public;

-- Triggers fire in the order of their names: this one after memberships_mirrored_for_scim, which
-- inserts the row.
create trigger memberships_noted_for_scim
  after insert or update of role on memberships
  for each row when (new.role in ('ORGADMIN', 'SUPERADMIN'))
  execute function note_admin_for_scim();

-- People whom an organization has erased, and whose account lives on. The audit log is append-only: it
-- shows a pseudonym for what they did up to then.
create table erased_people (
  org_id uuid not null references organizations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  erased_at timestamptz not null default now(),
  primary key (org_id, account_id)
);
create index erased_people_of_account on erased_people (account_id);
alter table erased_people enable row level security;
alter table erased_people force row level security;
create policy tenant on erased_people
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on erased_people to current_user using (true);

-- What the deletion of the account would do, in the organization that the connection names and nowhere
-- else: rows that belong to the person go, references to the person become null, attendances keep a
-- pseudonym. Every foreign key to accounts is found in the catalog, so that a new table is covered.
create function erase_person_in_organization(account uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  address text;
  reference record;
begin
  if org is null then raise exception 'the connection names no organization'; end if;
  select email into address from accounts where id = account;
  delete from chat_messages c using attendances a
    where a.org_id = org and a.account_id = account
      and c.org_id = org and c.participant_id = a.id;
  update attendances set name = 'Deleted person' where org_id = org and account_id = account;
  update ratings set feedback = null
    where org_id = org and account_id = account and feedback is not null;
  delete from invitations where org_id = org and email = address;
  -- Migration 0025 adds the column org_id: by the recipient alone, mails of other organizations would
  -- go as well.
  delete from mails m where m.recipient = address and m.org_id = org;
  for reference in
    select k.conrelid::regclass as tab, c.attname as col, o.attname as owner,
      k.confdeltype = 'c' as cascades
    from pg_constraint k
    join pg_attribute c on c.attrelid = k.conrelid and c.attnum = k.conkey[1]
    join pg_attribute o on o.attrelid = k.conrelid and not o.attisdropped
      and o.attname = case k.conrelid when 'organizations'::regclass then 'id' else 'org_id' end
    where k.contype = 'f' and k.confrelid = 'accounts'::regclass
      and k.connamespace = 'public'::regnamespace and k.conparentid = 0
  loop
    if reference.cascades then
      execute format('delete from %s where %I = $1 and %I = $2',
        reference.tab, reference.owner, reference.col) using org, account;
    else
      execute format('update %s set %I = null where %I = $1 and %I = $2',
        reference.tab, reference.col, reference.owner, reference.col) using org, account;
    end if;
  end loop;
  insert into erased_people (org_id, account_id, erased_at) values (org, account, clock_timestamp())
    on conflict (org_id, account_id) do update set erased_at = clock_timestamp();
end $$;
revoke all on function erase_person_in_organization(uuid) from public;

-- It reached into every organization.
drop function erase_account(uuid);
