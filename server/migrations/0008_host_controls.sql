-- A locked call lets in nobody who was not in it before. The lock ends with the call.
alter table calls
  add column locked_at timestamptz,
  add column locked_by uuid references accounts (id) on delete set null;

-- Guests whom a host has sent out do not come back into the call as who they were.
create table call_removals (
  call_id uuid not null,
  participant_id uuid not null,
  org_id uuid not null,
  removed_by uuid references accounts (id) on delete set null,
  removed_at timestamptz not null default now(),
  primary key (call_id, participant_id),
  constraint call_removals_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
alter table call_removals enable row level security;
alter table call_removals force row level security;
create policy tenant on call_removals
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on call_removals to current_user using (true);
