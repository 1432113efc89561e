-- Tokens with which an embedding product's own users join a room as named guests: each once, within minutes. The
-- token itself is the signed id (embedding/embed-token.ts).
create table embed_tokens (
  id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  -- Ends with the room's link.
  guest_link_id uuid not null,
  name text not null,
  -- Recognizes the product's user in place of a cookie.
  browser_id uuid,
  is_admitted boolean not null,
  -- Made by a token of the organization, and not by a member.
  is_of_program boolean not null,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint embed_tokens_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint embed_tokens_guest_link foreign key (org_id, guest_link_id)
    references guest_links (org_id, id) on delete cascade,
  constraint embed_tokens_name check (length(name) between 1 and 80)
);
create index embed_tokens_of_room on embed_tokens (org_id, room_id);
create index embed_tokens_of_guest_link on embed_tokens (org_id, guest_link_id);
create index embed_tokens_unused on embed_tokens (org_id, expires_at) where used_at is null;
create index embed_tokens_by_expiry on embed_tokens (expires_at);

alter table embed_tokens enable row level security;
alter table embed_tokens force row level security;
create policy tenant on embed_tokens
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on embed_tokens to current_user using (true);

-- Admitted by a program of the organization, whose admissions end with no member's rights.
alter table lobby_entries add column is_of_program boolean not null default false;

create or replace function lobby_admits(entry lobby_entries, lobby_since timestamptz, roles text[])
returns boolean
language sql stable as $$
  select entry.state = 'admitted' and entry.decided_at > now() - interval '12 hours'
    and entry.decided_at >= coalesce(lobby_since, '-infinity')
    and (entry.is_of_program or exists (select from memberships m
      where m.org_id = entry.org_id and m.account_id = entry.decided_by and m.role = any (roles)
        and m.runs_calls_since <= entry.decided_at))
$$;

-- Of all organizations: names of people are kept no longer than their tokens.
create function forget_embed_tokens(expired_before timestamptz) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  delete from embed_tokens where expires_at < expired_before
$$;
revoke all on function forget_embed_tokens(timestamptz) from public;
