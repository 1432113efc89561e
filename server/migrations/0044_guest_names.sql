-- Row-level security compares `lower(name)` after it has read every row (see 0018), so these functions, which it
-- does not bind, find a guest's rows by index for the organization that the connection names.

create function attendances_of_guest(guest text) returns setof uuid
language sql stable security definer rows 10 set search_path = public, pg_temp as $$
  select a.id from attendances a
  where a.org_id = nullif(current_setting('app.tenant', true), '')::uuid
    and a.kind = 'guest' and lower(a.name) = guest
$$;

-- Those under the name, and those of attendances under the name.
create function chat_messages_of_guest(guest text) returns setof uuid
language sql stable security definer rows 10 set search_path = public, pg_temp as $$
  select c.id from chat_messages c
  where c.org_id = nullif(current_setting('app.tenant', true), '')::uuid
    and c.kind = 'guest' and lower(c.name) = guest
  union
  select c.id from attendances_of_guest(guest) a(id)
  join chat_messages c on c.org_id = nullif(current_setting('app.tenant', true), '')::uuid
    and c.participant_id = a.id
$$;

create function lobby_entries_of_guest(guest text) returns setof uuid
language sql stable security definer rows 10 set search_path = public, pg_temp as $$
  select e.participant_id from lobby_entries e
  where e.org_id = nullif(current_setting('app.tenant', true), '')::uuid and lower(e.name) = guest
$$;

revoke all on function attendances_of_guest(text) from public;
revoke all on function chat_messages_of_guest(text) from public;
revoke all on function lobby_entries_of_guest(text) from public;
