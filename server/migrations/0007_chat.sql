-- What people write to each other in a call, kept with it.
create table chat_messages (
  id uuid primary key,
  org_id uuid not null,
  call_id uuid not null,
  participant_id uuid not null,
  kind text not null,
  name text not null,
  text text not null,
  -- The page's own number for it: what is sent again after a lost connection is stored once.
  client_id text not null,
  sent_at timestamptz not null default now(),
  constraint chat_messages_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint chat_messages_once unique (call_id, participant_id, client_id),
  constraint chat_messages_kind check (kind in ('staff', 'guest')),
  constraint chat_messages_text check (length(text) between 1 and 2000)
);
create index chat_messages_of_call on chat_messages (org_id, call_id, id);

alter table chat_messages enable row level security;
alter table chat_messages force row level security;
create policy tenant on chat_messages
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on chat_messages to current_user using (true);
