-- What the company that carries the calls has told us, by its own ids: told twice, it counts once.
create table company_events (
  org_id uuid not null references organizations (id) on delete cascade,
  id text not null,
  received_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint company_events_id check (length(id) between 1 and 200)
);
create index company_events_received on company_events (org_id, received_at);

alter table company_events enable row level security;
alter table company_events force row level security;
create policy tenant on company_events
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on company_events to current_user using (true);
