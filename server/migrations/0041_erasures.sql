-- A person leaves at once, in a transaction that locks no rows but the membership's and the account's. Their data
-- in the organization is erased afterward, without those locks (privacy/finish-erasures.ts): other members can
-- keep rows of theirs locked for as long as they like.
create table erasures (
  org_id uuid not null,
  account_id uuid not null,
  -- Of the account when the person left. A deleted account has none any more.
  address text not null,
  requested_at timestamptz not null default now(),
  primary key (org_id, account_id)
);
alter table erasures enable row level security;
alter table erasures force row level security;
create policy tenant on erasures
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on erasures to current_user using (true);

-- Nobody signs in to a deleted account, and its address is free. The row goes once nothing refers to it.
alter table accounts add column deleted_at timestamptz;
create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;

-- Organizations take turns: one whose rows stay locked keeps back no other.
create function unfinished_erasures() returns table (org_id uuid, account_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id, e.account_id from erasures e
  order by row_number() over (partition by e.org_id order by e.requested_at), e.requested_at
  limit 100
$$;
revoke all on function unfinished_erasures() from public;

-- In any order: accounts to which locked rows refer keep back no others. An erasure needs the references.
create function accounts_to_delete() returns table (account_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  select a.id from accounts a
  where a.deleted_at is not null
    and not exists (select from erasures e where e.account_id = a.id)
  order by random() limit 100
$$;
revoke all on function accounts_to_delete() from public;

-- As in migration 0022, with the address of a deleted account, and only what is older than the request: the
-- person may have been invited again, or returned, before this runs. A membership has ended before; one that
-- began since then stays, with its row for the directory.
create or replace function erase_person_in_organization(account uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
  address text;
  requested timestamptz;
  -- Until then, rows are of the time before the request: all of them, unless the person has returned.
  last timestamptz;
  reference record;
begin
  if org is null then raise exception 'the connection names no organization'; end if;
  select coalesce(e.address, a.email), coalesce(e.requested_at, clock_timestamp())
    into address, requested
    from accounts a left join erasures e on e.org_id = org and e.account_id = a.id
    where a.id = account;
  last := case when exists (select from memberships m where m.org_id = org and m.account_id = account)
    then requested else 'infinity' end;
  delete from chat_messages c using attendances a
    where a.org_id = org and a.account_id = account and a.joined_at <= last
      and c.org_id = org and c.participant_id = a.id and c.sent_at <= last;
  update attendances set name = 'Deleted person'
    where org_id = org and account_id = account and joined_at <= last;
  update ratings set feedback = null
    where org_id = org and account_id = account and feedback is not null and updated_at <= last;
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
    join pg_attribute c on c.attrelid = k.conrelid and c.attnum = k.conkey[1]
    join pg_attribute o on o.attrelid = k.conrelid and not o.attisdropped
      and o.attname = case k.conrelid when 'organizations'::regclass then 'id' else 'org_id' end
    where k.contype = 'f' and k.confrelid = 'accounts'::regclass
      and k.connamespace = 'public'::regnamespace and k.conparentid = 0
      and k.conrelid <> all (array['memberships'::regclass, 'counted_calls'::regclass])
      and not (k.conrelid = 'scim_users'::regclass and exists (
        select from memberships m where m.org_id = org and m.account_id = account))
  loop
    execute format(case when reference.cascades then 'delete from %1$s where %3$I = $1 and %2$I = $2'
        else 'update %1$s set %2$I = null where %3$I = $1 and %2$I = $2' end
      || case when reference.made is null then '' else ' and %4$I <= $3' end,
      reference.tab, reference.col, reference.owner, reference.made) using org, account, last;
  end loop;
  update counted_calls k set agent_id = null from calls c
    where k.org_id = org and k.agent_id = account and c.id = k.call_id and c.started_by is null;
  insert into erased_people (org_id, account_id, erased_at) values (org, account, requested)
    on conflict (org_id, account_id) do update set erased_at = excluded.erased_at;
end $$;
