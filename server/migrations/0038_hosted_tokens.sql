-- Who holds a token of a hosted page, which admits and keeps people without a socket of ours: what ends their
-- rights has to find them. Kept until the room's call ends, or for a day.
create table hosted_tokens (
  participant_id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  -- Of the meeting token (rooms/meeting-token.ts).
  claims jsonb not null,
  is_host boolean not null,
  must_knock boolean not null,
  created_at timestamptz not null default now(),
  constraint hosted_tokens_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade
);
create index hosted_tokens_of_room on hosted_tokens (org_id, room_id);

alter table hosted_tokens enable row level security;
alter table hosted_tokens force row level security;
create policy tenant on hosted_tokens
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on hosted_tokens to current_user using (true);

-- The tokens whose holders a revocation concerns; each argument that is null concerns all.
create function hosted_tokens_of(of_org uuid, of_session text, of_link text)
returns table (participant_id uuid, claims jsonb, is_host boolean, must_knock boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.participant_id, t.claims, t.is_host, t.must_knock from hosted_tokens t
  where (of_org is null or t.org_id = of_org)
    and (of_session is null or t.claims->>'sessionId' = of_session)
    and (of_link is null or t.claims->>'guestLinkId' = of_link)
$$;
revoke all on function hosted_tokens_of(uuid, text, text) from public;
