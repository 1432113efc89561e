-- The tables of the first release. PostgreSQL 15 to 18.
-- Tenant tables carry org_id, refer to one another by (org_id, id), and are walled by row-level
-- security: the application's role owns nothing and sees the rows of the organisation that its
-- connection names in `app.tenant`, and no rows where it names none.

-- People. An account is a person's sign-in; a membership puts it into one organisation. --------

create table accounts (
  id uuid primary key,
  email text not null,
  password_hash text,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  email_verified_at timestamptz,
  created_at timestamptz not null default now(),
  constraint accounts_email_key unique (email),
  constraint accounts_email_is_lower_case check (email = lower(email))
);

create table sessions (
  id uuid primary key,
  token_hash bytea not null,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  user_agent text,
  constraint sessions_token_hash_key unique (token_hash)
);
create index sessions_account_id on sessions (account_id);
create index sessions_expires_at on sessions (expires_at);

create table organizations (
  id uuid primary key,
  name text not null,
  brand_color text not null default '#2563eb',
  plan text not null default 'starter',
  created_at timestamptz not null default now(),
  constraint organizations_brand_color_is_hex check (brand_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint organizations_plan check (plan in ('starter', 'professional', 'enterprise'))
);

create table memberships (
  org_id uuid not null references organizations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, account_id),
  constraint memberships_one_organization unique (account_id),
  constraint memberships_role check (role in ('SUPERADMIN', 'ORGADMIN', 'AGENT', 'VIEWER'))
);

-- Playbooks and rooms. ------------------------------------------------------------------------

create table playbooks (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  title text not null,
  description text,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint playbooks_org_key unique (org_id, id)
);

create table playbook_items (
  id uuid primary key,
  org_id uuid not null,
  playbook_id uuid not null,
  text text not null,
  position integer not null,
  constraint playbook_items_playbook foreign key (org_id, playbook_id)
    references playbooks (org_id, id) on delete cascade,
  constraint playbook_items_position_key unique (playbook_id, position)
);

create table rooms (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  topic text not null,
  playbook_id uuid,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  archived_by uuid references accounts (id) on delete set null,
  constraint rooms_org_key unique (org_id, id),
  constraint rooms_playbook foreign key (org_id, playbook_id) references playbooks (org_id, id)
);

create table guest_links (
  id uuid primary key,
  org_id uuid not null,
  room_id uuid not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  revoked_by uuid references accounts (id) on delete set null,
  constraint guest_links_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade
);
-- With the organisation: another's room must be unknown (the foreign key), not taken (this).
create unique index guest_links_one_valid on guest_links (org_id, room_id) where revoked_at is null;

-- Calls, and what happens in them. ------------------------------------------------------------

create table calls (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  room_id uuid not null,
  playbook_id uuid,
  started_by uuid references accounts (id) on delete set null,
  started_at timestamptz not null,
  ended_at timestamptz,
  duration_sec integer,
  last_seen_at timestamptz not null default now(),
  notes_snapshot text,
  created_at timestamptz not null default now(),
  constraint calls_org_key unique (org_id, id),
  constraint calls_room foreign key (org_id, room_id) references rooms (org_id, id),
  constraint calls_playbook foreign key (org_id, playbook_id) references playbooks (org_id, id),
  constraint calls_end_has_duration check ((ended_at is null) = (duration_sec is null)),
  constraint calls_duration_is_positive check (duration_sec >= 0)
);
create unique index calls_one_running on calls (room_id) where ended_at is null;
create index calls_of_room on calls (room_id, id desc);
create index calls_running on calls (last_seen_at) where ended_at is null;

-- The checklist as it was when the call began; who ticked what, and when.
create table call_checklist_items (
  org_id uuid not null,
  call_id uuid not null,
  item_id uuid not null,
  text text not null,
  position integer not null,
  checked_at timestamptz,
  checked_by uuid references accounts (id) on delete set null,
  primary key (call_id, item_id),
  constraint call_checklist_items_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);

-- The notes are a Yjs document: these are its updates, in the order in which they were stored.
create table call_note_updates (
  id bigint generated always as identity primary key,
  org_id uuid not null,
  call_id uuid not null,
  update bytea not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint call_note_updates_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
create index call_note_updates_of_call on call_note_updates (call_id, id);

create table attendances (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  kind text not null,
  account_id uuid references accounts (id) on delete set null,
  name text not null,
  joined_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  left_at timestamptz,
  constraint attendances_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint attendances_kind check (kind in ('staff', 'guest')),
  constraint attendances_guest_has_no_account check (kind = 'staff' or account_id is null)
);
create index attendances_of_call on attendances (call_id, joined_at);
create index attendances_present on attendances (last_seen_at) where left_at is null;

create table ratings (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  kind text not null,
  account_id uuid references accounts (id) on delete set null,
  attendance_id uuid references attendances (id) on delete set null,
  score smallint not null,
  feedback text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ratings_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint ratings_kind check (kind in ('staff', 'guest')),
  constraint ratings_score check (score between 0 and 10),
  constraint ratings_one_per_account unique (call_id, account_id),
  constraint ratings_one_per_attendance unique (call_id, attendance_id)
);

-- Files: what is kept in the data folder or in S3, by its key there. ---------------------------

create table files (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  kind text not null,
  key text not null,
  name text not null,
  content_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint files_key_key unique (key),
  constraint files_size_is_positive check (size_bytes >= 0)
);
create index files_of_organization on files (org_id, id desc);

-- The audit log: append-only for the application (see grants), a partition a month. ------------

create table audit_events (
  id uuid not null,
  org_id uuid not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  entity text not null,
  entity_id uuid,
  metadata jsonb,
  address text,
  created_at timestamptz not null default now(),
  primary key (created_at, id),
  constraint audit_events_actor_kind check (actor_kind in ('user', 'guest', 'token', 'system')),
  constraint audit_events_action check (action ~ '^[A-Z]+(_[A-Z]+)*$')
) partition by range (created_at);
create index audit_events_of_organization on audit_events (org_id, id desc);

-- Creates what is missing of the partitions from `first` on, `months` of them; answers how many.
create function make_audit_partitions(first date, months integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month date := date_trunc('month', first);
  made integer := 0;
  partition_name text;
begin
  for i in 1 .. least(months, 240) loop
    partition_name := 'audit_events_' || to_char(month, 'YYYY_MM');
    if to_regclass('public.' || partition_name) is null then
      execute format(
        'create table %I partition of audit_events for values from (%L) to (%L)',
        partition_name, month::timestamp at time zone 'UTC',
        (month + interval '1 month')::timestamp at time zone 'UTC');
      execute format('alter table %I enable row level security', partition_name);
      execute format('alter table %I force row level security', partition_name);
      made := made + 1;
    end if;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;
-- The first is the installation's default, for what comes with an impossible time.
create table audit_events_other partition of audit_events default;
select make_audit_partitions((now() - interval '4 months')::date, 8);

-- The wall. -----------------------------------------------------------------------------------

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'organizations', 'memberships', 'playbooks', 'playbook_items', 'rooms', 'guest_links',
    'calls', 'call_checklist_items', 'call_note_updates', 'attendances', 'ratings', 'files',
    'audit_events'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (%I = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table, case tenant_table when 'organizations' then 'id' else 'org_id' end);
    -- The owner migrates and runs the functions below; the application never connects as it.
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;
alter table audit_events_other enable row level security;
alter table audit_events_other force row level security;

-- What must be known before a tenant is: each answers one narrow question. ----------------------

create function find_session(hash bytea)
returns table (
  session_id uuid, last_seen_at timestamptz, account_id uuid, email text, first_name text,
  last_name text, profile_image_url text, role text, org_id uuid
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.last_seen_at, a.id, a.email, a.first_name, a.last_name, a.profile_image_url,
         m.role, m.org_id
  from sessions s
  join accounts a on a.id = s.account_id
  left join memberships m on m.account_id = a.id
  where s.token_hash = hash and s.expires_at > now()
$$;

create function find_membership(account uuid) returns table (org_id uuid, role text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.role from memberships m where m.account_id = account
$$;

-- Marks the people of these attendances, and the running calls that they are in, as seen now. The
-- calls are locked first, as by whoever ends one: the other way round the two could wait for each other.
create function touch_attendances(ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  select id from calls
  where ended_at is null and id in (select call_id from attendances where id = any (ids))
  order by id for no key update;
  update attendances set last_seen_at = now(), left_at = null
  where id = any (ids) and call_id in (select id from calls where ended_at is null);
  update calls set last_seen_at = now()
  where ended_at is null and id in (select call_id from attendances where id = any (ids));
$$;

-- Running calls in which nobody was seen since `seen_before`, of all organisations.
create function deserted_calls(seen_before timestamptz) returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.id from calls c where c.ended_at is null and c.last_seen_at < seen_before
$$;

-- Attendances that nobody ended and that were last seen before `seen_before` end where they were.
create function end_silent_attendances(seen_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update attendances set left_at = last_seen_at
  where id in (
    select id from attendances where left_at is null and last_seen_at < seen_before
    for update skip locked
  )
$$;

revoke all on all functions in schema public from public;
