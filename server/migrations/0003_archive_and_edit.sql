-- Playbooks are edited and archived; rooms, which could be archived already, are listed by whether
-- they are. What a call's checklist is was copied when the call began (call_checklist_items), so no
-- edit reaches it, and calls of earlier versions need nothing filled in.

alter table playbooks
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  add column updated_by uuid references accounts (id) on delete set null,
  add column archived_at timestamptz,
  add column archived_by uuid references accounts (id) on delete set null,
  add constraint playbooks_version_counts check (version > 0);
update playbooks set updated_at = created_at, updated_by = created_by;

create index playbooks_active on playbooks (org_id, id desc) where archived_at is null;
create index playbooks_archived on playbooks (org_id, id desc) where archived_at is not null;
create index rooms_active on rooms (org_id, id desc) where archived_at is null;
create index rooms_archived on rooms (org_id, id desc) where archived_at is not null;
