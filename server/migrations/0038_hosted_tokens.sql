-- Who holds a token of a hosted page, which admits and keeps people without a socket of ours: what ends their
-- rights has to find them. Kept until the room's call ends, or for a day.
create table hosted_tokens (
  participant_id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  -- Of the meeting token (rooms/meeting-token.ts), whose authorities are columns, too.
  claims jsonb not null,
  account_id uuid,
  session_id uuid,
  guest_link_id uuid,
  is_host boolean not null,
  must_knock boolean not null,
  -- They are to leave the page, until the provider confirms it: true with a ban.
  eject_ban boolean,
  created_at timestamptz not null default now(),
  constraint hosted_tokens_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade
);
create index hosted_tokens_of_room on hosted_tokens (room_id);
create index hosted_tokens_of_account on hosted_tokens (org_id, account_id, created_at);
create index hosted_tokens_of_session on hosted_tokens (session_id);
create index hosted_tokens_of_link on hosted_tokens (guest_link_id, created_at);
create index hosted_tokens_to_eject on hosted_tokens (org_id, room_id) where eject_ban is not null;

alter table hosted_tokens enable row level security;
alter table hosted_tokens force row level security;
create policy tenant on hosted_tokens
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on hosted_tokens to current_user using (true);

-- The tokens whose holders a revocation concerns; without any argument, all.
create function hosted_tokens_of(of_session uuid, of_link uuid, of_room uuid, of_org uuid, of_account uuid) returns setof hosted_tokens
language sql stable security definer set search_path = public, pg_temp as $$
  select * from hosted_tokens t where t.session_id = of_session
  union all
  select * from hosted_tokens t where t.guest_link_id = of_link
  union all
  select * from hosted_tokens t where t.room_id = of_room
  union all
  select * from hosted_tokens t
  where t.org_id = of_org and (of_account is null or t.account_id = of_account)
  union all
  select * from hosted_tokens t where coalesce(of_session, of_link, of_room, of_org) is null
$$;
revoke all on function hosted_tokens_of(uuid, uuid, uuid, uuid, uuid) from public;

-- The people to eject whom the provider has not confirmed, of all organizations in turn.
create function hosted_people_to_eject()
returns table (org_id uuid, room_id uuid, eject_ban boolean, people uuid[])
language sql stable security definer set search_path = public, pg_temp as $$
  with rooms_due as (
    select t.org_id, t.room_id, t.eject_ban, array_agg(t.participant_id) as people,
      row_number() over (partition by t.org_id order by min(t.created_at)) as turn
    from hosted_tokens t where t.eject_ban is not null
    group by t.org_id, t.room_id, t.eject_ban
  )
  select d.org_id, d.room_id, d.eject_ban, d.people from rooms_due d order by d.turn limit 50
$$;
revoke all on function hosted_people_to_eject() from public;
