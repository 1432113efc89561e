-- The sites that may show an organisation's guest pages in a frame (domain/embedding/origin.ts).
create table embedding_origins (
  org_id uuid not null references organizations (id) on delete cascade,
  origin text not null,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  primary key (org_id, origin),
  -- Written into a header as it is.
  constraint embedding_origins_origin
    check (origin ~ '^https://[a-z0-9.:[\]-]+$' and length(origin) <= 300)
);
alter table embedding_origins enable row level security;
alter table embedding_origins force row level security;
create policy tenant on embedding_origins
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on embedding_origins to current_user using (true);
