-- The people in a room are looked up again when it is archived, and its guests when its lobby is switched on:
-- whoever would not be admitted now does not stay.
create function tell_archiving() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'room', 'orgId', new.org_id, 'roomId', new.id)::text);
  return null;
end $$;
revoke all on function tell_archiving() from public;
create trigger rooms_tell_archiving after update of archived_at on rooms
  for each row when (old.archived_at is null and new.archived_at is not null)
  execute function tell_archiving();

-- Of many rooms at once, one notification: all guests of the organization.
create function tell_lobbies() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  org uuid;
  ids uuid[];
begin
  for org, ids in
    select c.org_id, array_agg(c.id) from changed c join former f on f.id = c.id
    where c.lobby_at is not null and c.lobby_at is distinct from f.lobby_at
    group by c.org_id
  loop
    if cardinality(ids) > 1 then
      perform tell_guests_of(org);
    else
      perform pg_notify('revocations', json_build_object(
        'kind', 'lobby', 'orgId', org, 'roomId', ids[1])::text);
    end if;
  end loop;
  return null;
end $$;
revoke all on function tell_lobbies() from public;
create trigger rooms_tell_lobbies after update on rooms
  referencing old table as former new table as changed
  for each statement execute function tell_lobbies();

-- The owner of an address has taken over an account, and what others may have prepared in its organization is
-- still to be undone: other work of that organization held locks. No foreign keys, which would wait for those.
create table takeovers (
  org_id uuid not null,
  account_id uuid not null,
  taken_at timestamptz not null default now(),
  -- Since then, nothing that the account's earlier sessions have begun is committed any more.
  settled_at timestamptz,
  primary key (org_id, account_id)
);
alter table takeovers enable row level security;
alter table takeovers force row level security;
create policy tenant on takeovers
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on takeovers to current_user using (true);

create function unfinished_takeovers() returns table (org_id uuid, account_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.org_id, t.account_id from takeovers t order by t.taken_at limit 100
$$;
revoke all on function unfinished_takeovers() from public;

-- Guests stay out of an organization while what was prepared for its only admin is still to be undone.
create function keeps_guests_out(org uuid) returns boolean
language sql stable as $$
  select exists (
    select from takeovers t
    join memberships m on m.org_id = t.org_id and m.account_id = t.account_id and m.role = 'ORGADMIN'
    where t.org_id = org and not exists (
      select from memberships o
      where o.org_id = t.org_id and o.account_id <> t.account_id
        and o.role in ('ORGADMIN', 'SUPERADMIN')))
$$;
revoke all on function keeps_guests_out(uuid) from public;

-- Since when admissions from a room's lobby count: one that is older than the lobby, or than the last removal of a
-- guest from the running call, may belong to the person who was removed.
create function admissions_count_since(room uuid) returns timestamptz
language sql stable as $$
  select greatest(r.lobby_at, (
    select max(x.removed_at) from calls c join call_removals x on x.call_id = c.id
    where c.room_id = r.id and c.ended_at is null))
  from rooms r where r.id = room
$$;
revoke all on function admissions_count_since(uuid) from public;

-- Permission `calls.update`.
create function may_run_calls(role text) returns boolean
language sql immutable set search_path = public, pg_temp as $$
  select coalesce(role <> 'VIEWER', false)
$$;
revoke all on function may_run_calls(text) from public;

-- An admission ends with the right of whoever gave it, and does not return with that right: a member may be
-- promoted again, or come back.
alter table memberships add column runs_calls_since timestamptz not null default '-infinity';
alter table memberships alter column runs_calls_since set default clock_timestamp();
create function note_runs_calls_since() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.runs_calls_since := clock_timestamp();
  return new;
end $$;
revoke all on function note_runs_calls_since() from public;
create trigger memberships_note_runs_calls_since before update of role on memberships
  for each row when (not may_run_calls(old.role) and may_run_calls(new.role))
  execute function note_runs_calls_since();

create or replace function lobby_admits(entry lobby_entries, lobby_since timestamptz, roles text[])
returns boolean
language sql stable as $$
  select entry.state = 'admitted' and entry.decided_at > now() - interval '12 hours'
    and entry.decided_at >= coalesce(lobby_since, '-infinity')
    and exists (select from memberships m
      where m.org_id = entry.org_id and m.account_id = entry.decided_by and m.role = any (roles)
        and m.runs_calls_since <= entry.decided_at)
$$;
