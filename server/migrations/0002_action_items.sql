-- What was promised in a call: generated once, when it has ended.

-- One row a call, so that two who end it at the same time do not both keep a list.
create table action_item_lists (
  call_id uuid primary key,
  org_id uuid not null,
  analyzer text not null,
  offline boolean not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint action_item_lists_org_call_key unique (org_id, call_id),
  constraint action_item_lists_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);

create table action_items (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  position integer not null,
  priority text not null,
  confidence real not null,
  title text not null,
  description text not null,
  owner text,
  due text,
  constraint action_items_list foreign key (org_id, call_id)
    references action_item_lists (org_id, call_id) on delete cascade,
  constraint action_items_position unique (call_id, position),
  constraint action_items_priority check (priority in ('high', 'medium', 'low')),
  constraint action_items_confidence check (confidence between 0 and 1)
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['action_item_lists', 'action_items'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

create index calls_ended on calls (ended_at) where ended_at is not null;

-- Calls that ended between the two times with longer notes than this and have no list yet, of all
-- organisations.
create function calls_without_action_items(since timestamptz, until timestamptz, longer_than integer)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.id from calls c
  where c.ended_at between since and until and length(c.notes_snapshot) > longer_than
    and not exists (select 1 from action_item_lists l where l.call_id = c.id)
  order by c.id limit 100
$$;
revoke all on function calls_without_action_items from public;
