-- What an organization has done in its first hour is read from its rows. Only what leaves no row is recorded here:
-- that a person tested their devices, copied a guest link, or dismissed the list.
create table first_steps (
  org_id uuid not null references organizations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  step text not null,
  taken_at timestamptz not null default now(),
  primary key (org_id, account_id, step),
  constraint first_steps_step check (step in ('devices_tested', 'link_copied', 'dismissed'))
);

-- Who loaded the organization's sample data, and when. Rooms and playbooks that belong to it are samples, and so is
-- every call of such a room: no other call can begin in one.
create table sample_sets (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  loaded_at timestamptz not null default now(),
  loaded_by uuid references accounts (id) on delete set null,
  constraint sample_sets_one_of_organization unique (org_id),
  constraint sample_sets_org_key unique (org_id, id)
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['first_steps', 'sample_sets'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

alter table rooms add column sample_set_id uuid,
  add constraint rooms_sample_set foreign key (org_id, sample_set_id)
    references sample_sets (org_id, id);
alter table playbooks add column sample_set_id uuid,
  add constraint playbooks_sample_set foreign key (org_id, sample_set_id)
    references sample_sets (org_id, id);
create index rooms_of_samples on rooms (org_id, id) where sample_set_id is not null;
create index playbooks_of_samples on playbooks (org_id, id) where sample_set_id is not null;

-- Samples stay out of all figures: those are sums of this view, whatever columns it has by now.
do $$
declare
  ended constant text := 'c.ended_at IS NOT NULL';
  now_is text := pg_get_viewdef('call_figures'::regclass);
begin
  if length(now_is) - length(replace(now_is, ended, '')) <> length(ended) then
    raise exception 'call_figures does not choose completed calls as expected: %', now_is;
  end if;
  execute 'create or replace view call_figures with (security_invoker = true) as '
    || replace(now_is, ended, ended || ' and not exists (select from rooms sample'
      || ' where sample.id = c.room_id and sample.sample_set_id is not null)');
end $$;
