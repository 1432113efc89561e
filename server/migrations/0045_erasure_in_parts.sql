-- Erasing a person with many calls in one transaction kept those calls locked for as long as it took. Now each
-- transaction erases a part.
drop function erase_person_in_organization(uuid);

-- Erases up to `most` rows of each kind about the account in the organization of the connection, and returns
-- whether some may be left. Call it again in a new transaction until it returns false. What is erased is what
-- migration 0041 says.
create function erase_part_of_person(account uuid, most integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  address text;
  requested timestamptz;
  -- Until then, rows are of the time before the request: all of them, unless the person has returned.
  last timestamptz;
  part uuid[];
  erased integer;
  reference record;
begin
  if org is null then raise exception 'the connection names no organization'; end if;
  select coalesce(e.address, a.email), coalesce(e.requested_at, clock_timestamp())
    into address, requested
    from accounts a left join erasures e on e.org_id = org and e.account_id = a.id
    where a.id = account;
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
      and k.conrelid <> all (array['memberships'::regclass, 'counted_calls'::regclass])
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
  insert into erased_people (org_id, account_id, erased_at) values (org, account, requested)
    on conflict (org_id, account_id) do update set erased_at = excluded.erased_at;
  return false;
end $$;
revoke all on function erase_part_of_person(uuid, integer) from public;

-- Before PostgreSQL 18, the plan of such a function is for any name. Where many guests have the same one, it read
-- all rows.
alter function attendances_of_guest(text) set enable_seqscan = off;
alter function chat_messages_of_guest(text) set enable_seqscan = off;
alter function lobby_entries_of_guest(text) set enable_seqscan = off;
