-- Invitations, password resets, and the mails that carry them.

create table invitations (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  email text not null,
  role text not null,
  token_hash bytea not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references accounts (id) on delete set null,
  cancelled_at timestamptz,
  cancelled_by uuid references accounts (id) on delete set null,
  constraint invitations_token_hash_key unique (token_hash),
  constraint invitations_email_is_lower_case check (email = lower(email)),
  constraint invitations_role check (role in ('SUPERADMIN', 'ORGADMIN', 'AGENT', 'VIEWER')),
  constraint invitations_end_once check (accepted_at is null or cancelled_at is null)
);
create unique index invitations_one_open on invitations (org_id, email)
  where accepted_at is null and cancelled_at is null;
create index invitations_of_organization on invitations (org_id, id desc);

alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on invitations to current_user using (true);

create table password_resets (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_resets_token_hash_key unique (token_hash)
);
create index password_resets_of_account on password_resets (account_id) where used_at is null;

-- What is to be sent: a mail is stored with the change that it tells of, and sent after.
create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  sent_at timestamptz
);
create index mails_unsent on mails (next_try_at) where sent_at is null;
