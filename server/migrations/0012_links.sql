-- Besides its main link a room has links with names, which may expire or be for one guest.
alter table guest_links
  add column name text,
  add column expires_at timestamptz,
  add column use_limit integer,
  add column use_count integer not null default 0,
  add constraint guest_links_org_key unique (org_id, id),
  add constraint guest_links_name check (length(name) between 1 and 80),
  add constraint guest_links_main_is_plain
    check (name is not null or (expires_at is null and use_limit is null)),
  add constraint guest_links_use_limit check (use_limit = 1),
  add constraint guest_links_use_count check (use_count >= 0 and use_count <= use_limit);
drop index guest_links_one_valid;
create unique index guest_links_one_valid on guest_links (org_id, room_id)
  where revoked_at is null and name is null;
create index guest_links_named on guest_links (org_id, room_id, id desc) where name is not null;

-- Who came in by a link. A guest who reloads is the same participant and counts once.
create table guest_link_uses (
  guest_link_id uuid not null,
  participant_id uuid not null,
  org_id uuid not null,
  used_at timestamptz not null default now(),
  primary key (guest_link_id, participant_id),
  constraint guest_link_uses_link foreign key (org_id, guest_link_id)
    references guest_links (org_id, id) on delete cascade
);

-- Rooms without a row are open to guests at any time. The shape is domain/rooms/opening-hours.ts.
create table room_opening_hours (
  room_id uuid primary key,
  org_id uuid not null,
  hours jsonb not null,
  changed_at timestamptz not null default now(),
  changed_by uuid references accounts (id) on delete set null,
  constraint room_opening_hours_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint room_opening_hours_is_object check (jsonb_typeof(hours) = 'object')
);

-- What guests read in the lobby: the room's text, else the organisation's, else ours.
alter table rooms
  add column waiting_text text,
  add constraint rooms_waiting_text check (length(waiting_text) between 1 and 500);
alter table organizations
  add column waiting_text text,
  add constraint organizations_waiting_text check (length(waiting_text) between 1 and 500);

-- A member's own room: one each, and nobody's once the member is gone.
alter table rooms
  add column personal_of uuid,
  add constraint rooms_personal_of foreign key (org_id, personal_of)
    references memberships (org_id, account_id) on delete set null (personal_of);
create unique index rooms_one_personal on rooms (org_id, personal_of) where personal_of is not null;

-- The readable addresses of personal rooms, of the whole installation. One that was replaced is
-- never anybody else's: its link must not lead to a stranger.
create table room_slugs (
  slug text primary key,
  org_id uuid not null,
  room_id uuid not null,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  replaced_at timestamptz,
  constraint room_slugs_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 40),
  constraint room_slugs_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade
);
create unique index room_slugs_one_current on room_slugs (org_id, room_id) where replaced_at is null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['guest_link_uses', 'room_opening_hours', 'room_slugs'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Whose room an address leads to: asked before a tenant is known.
create function find_room_slug(asked text)
returns table (org_id uuid, room_id uuid, replaced_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.room_id, s.replaced_at from room_slugs s where s.slug = asked
$$;
revoke all on function find_room_slug(text) from public;
