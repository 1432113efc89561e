-- How long an organisation keeps what, its deletion, and the deletion of people.

create table retention_rules (
  org_id uuid not null references organizations (id) on delete cascade,
  kind text not null,
  days integer not null,
  set_by uuid references accounts (id) on delete set null,
  set_at timestamptz not null default now(),
  primary key (org_id, kind),
  constraint retention_rules_kind check (kind ~ '^[a-zA-Z]+$'),
  constraint retention_rules_days check (days between 1 and 3650),
  constraint retention_rules_audit check (kind <> 'auditEvents' or days >= 30)
);

create table organization_deletions (
  org_id uuid primary key references organizations (id) on delete cascade,
  requested_by uuid references accounts (id) on delete set null,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null,
  constraint organization_deletions_grace check (due_at >= requested_at + interval '7 days')
);
create index organization_deletions_due on organization_deletions (due_at);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['retention_rules', 'organization_deletions'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

create index chat_messages_of_participant on chat_messages (org_id, participant_id);
create index attendances_of_account on attendances (account_id) where account_id is not null;
create index attendances_by_guest_name on attendances (org_id, lower(name)) where kind = 'guest';

create function organizations_with_retention() returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct r.org_id from retention_rules r
$$;

-- The one way in which the application removes audit events: those of the organisation that the
-- connection names, older than its own rule says. The rule allows no less than 30 days.
create function forget_audit_events() returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from audit_events e using retention_rules r
    where r.org_id = nullif(current_setting('app.tenant', true), '')::uuid
      and r.kind = 'auditEvents' and e.org_id = r.org_id
      and e.created_at < now() - r.days * interval '1 day'
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Deletes an account, and anonymises what organisations keep of it: attendances and the audit log
-- know a pseudonym from then on, what it wrote in chats and about calls goes.
create function erase_account(account uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  address text;
begin
  select email into address from accounts where id = account;
  delete from chat_messages c using attendances a
    where a.account_id = account and a.org_id = c.org_id and a.id = c.participant_id;
  update attendances set name = 'Deleted person' where account_id = account;
  update ratings set feedback = null where account_id = account and feedback is not null;
  delete from invitations where email = address;
  delete from mails where recipient = address;
  delete from accounts where id = account;
end $$;

create function organizations_to_delete() returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id from organization_deletions d where d.due_at <= now()
$$;

-- Deletes the organisation that the connection names, where its time has come. Tables that refer to
-- one another go in whatever order their keys allow; a new one joins by itself.
create function delete_organization() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  tenant_table text;
  left_over integer;
  round integer := 0;
begin
  perform 1 from organization_deletions where org_id = org and due_at <= now() for update;
  if not found then return false; end if;
  update organizations set logo_file_id = null where id = org;
  loop
    left_over := 0;
    round := round + 1;
    for tenant_table in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'org_id' and not a.attisdropped
    loop
      begin
        execute format('delete from %I where org_id = $1', tenant_table) using org;
      exception when foreign_key_violation then
        left_over := left_over + 1;
      end;
    end loop;
    exit when left_over = 0 or round > 20;
  end loop;
  delete from organizations where id = org;
  return true;
end $$;

revoke all on function organizations_with_retention() from public;
revoke all on function forget_audit_events() from public;
revoke all on function erase_account(uuid) from public;
revoke all on function organizations_to_delete() from public;
revoke all on function delete_organization() from public;
