-- Erasing a person left their name in the room of their own, in its addresses, and as the owner of action items.
alter table rooms add column was_personal_of uuid;
comment on column rooms.was_personal_of is 'The former member whose room it was. No reference: it outlives the account.';
create index rooms_formerly_personal on rooms (org_id, was_personal_of) where was_personal_of is not null;
create index action_items_by_owner on action_items (org_id, lower(owner)) where owner is not null;

-- Addresses that are gone stay reserved for a year: they are in calendars and signatures, and the next holder would
-- receive those guests. What they were is not kept.
create table retired_slugs (
  slug_hash bytea primary key,
  retired_at timestamptz not null default now()
);
create index retired_slugs_by_age on retired_slugs (retired_at);
alter table retired_slugs enable row level security;
alter table retired_slugs force row level security;
create policy owner on retired_slugs to current_user using (true);

create function retire_slugs() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into retired_slugs (slug_hash)
  select sha256(convert_to(slug, 'UTF8')) from gone order by 1
  on conflict (slug_hash) do update set retired_at = excluded.retired_at;
  delete from retired_slugs where slug_hash in (
    select slug_hash from retired_slugs where retired_at < now() - interval '1 year'
    order by retired_at limit 100 for update skip locked
  );
  return null;
end $$;
revoke all on function retire_slugs() from public;
create trigger room_slugs_retire after delete on room_slugs
  referencing old table as gone for each statement execute function retire_slugs();

create function refuse_retired_slug() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from retired_slugs where slug_hash = sha256(convert_to(new.slug, 'UTF8'))
    and retired_at >= now() - interval '1 year')
  then
    raise unique_violation using constraint = 'room_slugs_pkey', message = 'the address was that of another room';
  end if;
  return new;
end $$;
revoke all on function refuse_retired_slug() from public;
create trigger room_slugs_refuse_retired before insert on room_slugs
  for each row execute function refuse_retired_slug();

create or replace function erase_part_of_person(account uuid, most integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  address text;
  requested timestamptz;
  -- Until then, rows are of the time before the request: all of them, unless the person has returned.
  last timestamptz;
  full_name text;
  part uuid[];
  erased integer;
  reference record;
begin
  if org is null then raise exception 'the connection names no organization'; end if;
  select coalesce(e.address, a.email), coalesce(e.requested_at, clock_timestamp())
    into address, requested
    from accounts a left join erasures e on e.org_id = org and e.account_id = a.id
    where a.id = account;
  select nullif(lower(trim(first_name || ' ' || last_name)), '') into full_name
    from former_members where org_id = org and account_id = account;
  if exists (select from memberships m join accounts a on a.id = m.account_id
    where m.org_id = org and lower(trim(a.first_name || ' ' || a.last_name)) = full_name)
  then full_name := null; end if;
  last := case when exists (select from memberships m where m.org_id = org and m.account_id = account)
    then requested else 'infinity' end;

  -- The messages are found by the attendance, which therefore loses its account together with them.
  select array_agg(id) into part from (
    select id from attendances where org_id = org and account_id = account and joined_at <= last limit most
  ) some_attendances;
  delete from chat_messages
    where org_id = org and participant_id = any(part) and sent_at <= last;
  update attendances set name = 'Deleted person', account_id = null where org_id = org and id = any(part);
  if cardinality(part) >= most then return true; end if;

  update ratings set feedback = null, account_id = null where ctid = any(array(
    select ctid from ratings where org_id = org and account_id = account and updated_at <= last limit most
  ));
  get diagnostics erased = row_count;
  if erased >= most then return true; end if;

  -- The room of their own is named after them, and so are its addresses.
  delete from room_slugs where org_id = org
    and room_id in (select id from rooms where org_id = org and was_personal_of = account);
  update rooms set topic = 'Deleted person', was_personal_of = null where org_id = org and was_personal_of = account;
  update action_items set owner = null where ctid = any(array(
    select ctid from action_items where org_id = org and lower(owner) = full_name limit most
  ));
  get diagnostics erased = row_count;
  if erased >= most then return true; end if;

  delete from invitations where org_id = org and email = address and created_at <= requested;
  delete from mails m where m.recipient = address and m.org_id = org and m.created_at <= requested;
  for reference in
    select k.conrelid::regclass as tab, c.attname as col, o.attname as owner,
      k.confdeltype = 'c' as cascades, (
        -- When the row was made; tables without such a column have no rows of work.
        select m.attname from pg_attribute m
        where m.attrelid = k.conrelid and not m.attisdropped
          and m.attname in ('created_at', 'joined_at', 'checked_at')
        order by m.attname = 'created_at' desc limit 1) as made
    from pg_constraint k
    -- Partitions instead of the table that they are parts of: a ctid is one of a partition.
    join pg_class r on r.oid = k.conrelid and r.relkind = 'r'
    join pg_attribute c on c.attrelid = k.conrelid and c.attnum = k.conkey[1]
    join pg_attribute o on o.attrelid = k.conrelid and not o.attisdropped
      and o.attname = case k.conrelid when 'organizations'::regclass then 'id' else 'org_id' end
    where k.contype = 'f' and k.confrelid = 'accounts'::regclass
      and k.connamespace = 'public'::regnamespace
      and k.conrelid <> all (array['memberships'::regclass, 'counted_calls'::regclass, 'former_members'::regclass,
        -- Hashes, by which the account stays closed to the next holder of its address.
        'former_identities'::regclass])
      and not (k.conrelid = 'scim_users'::regclass and exists (
        select from memberships m where m.org_id = org and m.account_id = account))
  loop
    execute format(
      case when reference.cascades then 'delete from %1$s' else 'update %1$s set %2$I = null' end
        || ' where ctid = any(array(select ctid from %1$s where %3$I = $1 and %2$I = $2'
        || case when reference.made is null then '' else ' and %4$I <= $3' end
        || ' limit $4))',
      reference.tab, reference.col, reference.owner, reference.made) using org, account, last, most;
    get diagnostics erased = row_count;
    if erased >= most then return true; end if;
  end loop;

  update counted_calls set agent_id = null where ctid = any(array(
    select k.ctid from counted_calls k join calls c on c.id = k.call_id
    where k.org_id = org and k.agent_id = account and c.started_by is null limit most
  ));
  get diagnostics erased = row_count;
  if erased >= most then return true; end if;
  -- Last, because the name is looked for above.
  delete from former_members where org_id = org and account_id = account;
  insert into erased_people (org_id, account_id, erased_at) values (org, account, requested)
    on conflict (org_id, account_id) do update set erased_at = excluded.erased_at;
  return false;
end $$;

-- Rooms of members who left before this migration. Only rooms of people have such addresses.
update rooms r set was_personal_of = r.created_by
where r.personal_of is null and r.created_by is not null
  and exists (select from room_slugs s where s.org_id = r.org_id and s.room_id = r.id);
-- And of those who have been erased since.
update rooms r set topic = 'Deleted person'
where r.personal_of is null and r.created_by is null
  and exists (select from room_slugs s where s.org_id = r.org_id and s.room_id = r.id);
delete from room_slugs s using rooms r
where r.org_id = s.org_id and r.id = s.room_id and r.personal_of is null and r.created_by is null;
