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
