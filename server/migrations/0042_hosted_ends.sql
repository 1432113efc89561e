-- When a token of a hosted page stops to admit. It is chosen before the token is stored, and asked of the provider:
-- counted from the storing, it would end before the token, which waits for the provider. A process of the version
-- before, which does not know the column, asked for five minutes from a moment up to half a minute later.
alter table hosted_tokens add column expires_at timestamptz;
update hosted_tokens set expires_at = created_at + interval '6 minutes';
alter table hosted_tokens
  alter column expires_at set default now() + interval '6 minutes',
  alter column expires_at set not null;
create index hosted_tokens_ends on hosted_tokens (org_id, expires_at);

-- The holders of one authority are read a page at a time, in the order of their ids.
drop function hosted_tokens_of(uuid, uuid, uuid, uuid, uuid);
drop index hosted_tokens_of_room;
create index hosted_tokens_of_room on hosted_tokens (room_id, participant_id);
create index hosted_tokens_in_order on hosted_tokens (org_id, participant_id);
create index hosted_tokens_of_link_in_order on hosted_tokens (guest_link_id, participant_id);

-- The organizations in which a session or a guest link has such tokens: their revocations do not name one.
create function hosted_tokens_by_organization(sessions uuid[], links uuid[])
returns table (org_id uuid, session_id uuid, guest_link_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct t.org_id, t.session_id, null::uuid from hosted_tokens t
  where t.session_id = any (sessions)
  union all
  -- A link belongs to one organization.
  select t.org_id, null, l.id from unnest(links) as l (id), lateral (
    select h.org_id from hosted_tokens h where h.guest_link_id = l.id limit 1) t
$$;
revoke all on function hosted_tokens_by_organization(uuid[], uuid[]) from public;

create function organizations_with_hosted_tokens() returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id from organizations o
  where exists (select from hosted_tokens t where t.org_id = o.id)
$$;
revoke all on function organizations_with_hosted_tokens() from public;

-- As before, but at most a hundred people in one row, as many as one request ejects.
create or replace function hosted_people_to_eject()
returns table (org_id uuid, room_id uuid, eject_ban boolean, people uuid[])
language sql stable security definer set search_path = public, pg_temp as $$
  with numbered as (
    select t.*, (row_number() over (
      partition by t.org_id, t.room_id, t.eject_ban order by t.created_at) - 1) / 100 as part
    from hosted_tokens t where t.eject_ban is not null
  ), due as (
    select n.org_id, n.room_id, n.eject_ban, array_agg(n.participant_id) as people,
      row_number() over (partition by n.org_id order by min(n.created_at)) as turn
    from numbered n group by n.org_id, n.room_id, n.eject_ban, n.part
  )
  select d.org_id, d.room_id, d.eject_ban, d.people from due d order by d.turn limit 50
$$;
