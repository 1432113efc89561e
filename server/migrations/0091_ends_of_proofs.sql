-- Two proofs outlived what they were made by: the answer of an identity provider outlived the end of the person's
-- membership or of their sessions, and a token for an embedded call the token of the API that had made it.

-- When sign-ins of an address with an organization ended last: of its account, which may be gone. What the organization's
-- identity provider was asked before counts no more (server/sso/admit-person.ts). Kept for an hour, longer than a sign-in
-- lasts.
create table ended_sign_ins (
  org_id uuid not null,
  email_hash bytea not null,
  ended_at timestamptz not null,
  primary key (org_id, email_hash)
);
alter table ended_sign_ins enable row level security;
alter table ended_sign_ins force row level security;
create policy tenant on ended_sign_ins
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on ended_sign_ins to current_user using (true);

create function note_ended_sign_in(org uuid, account uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into ended_sign_ins as e (org_id, email_hash, ended_at)
  select org, sha256(convert_to(a.email, 'UTF8')), clock_timestamp() from accounts a where a.id = account
  on conflict (org_id, email_hash) do update set ended_at = greatest(e.ended_at, excluded.ended_at)
$$;
revoke all on function note_ended_sign_in(uuid, uuid) from public;

-- Of an account that stays a member.
create function note_ended_sign_ins(account uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  select note_ended_sign_in(m.org_id, account) from memberships m where m.account_id = account
$$;
revoke all on function note_ended_sign_ins(uuid) from public;

create function note_end_of_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_ended_sign_in(old.org_id, old.account_id);
  return null;
end $$;
revoke all on function note_end_of_membership() from public;
create trigger memberships_note_end after delete on memberships
  for each row execute function note_end_of_membership();

-- Its memberships are deleted afterwards, when it has no address any more.
create function note_end_of_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_ended_sign_ins(old.id);
  return old;
end $$;
revoke all on function note_end_of_account() from public;
create trigger accounts_note_end before delete on accounts
  for each row execute function note_end_of_account();

create function sign_in_has_ended(org uuid, address text, asked_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from ended_sign_ins e
    where e.org_id = org and e.email_hash = sha256(convert_to(address, 'UTF8')) and e.ended_at >= asked_at)
$$;
revoke all on function sign_in_has_ended(uuid, text, timestamptz) from public;

create or replace function forget_sso_flows() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from sso_flows where id in (
    select id from sso_flows
    where expires_at < now() and (purpose = 'sign-in' or expires_at < now() - interval '1 hour')
    for update skip locked
  );
  delete from sso_assertions where (connection_id, assertion_id) in (
    select connection_id, assertion_id from sso_assertions
    where expires_at < now() - interval '1 hour'
    for update skip locked
  );
  delete from ended_sign_ins where (org_id, email_hash) in (
    select org_id, email_hash from ended_sign_ins where ended_at < now() - interval '1 hour'
    for update skip locked
  );
$$;

-- A role that an identity provider names is that of when it was asked: a later change of the role counts (server/sso/sync-role.ts).
alter table memberships add column role_changed_at timestamptz not null default 'epoch';
create function note_change_of_role() returns trigger
language plpgsql as $$
begin
  new.role_changed_at := clock_timestamp();
  return new;
end $$;
revoke all on function note_change_of_role() from public;
create trigger memberships_note_change_of_role before update of role on memberships
  for each row when (old.role is distinct from new.role)
  execute function note_change_of_role();

-- The token of the API by which a token for an embedded call was made, and by which a guest was admitted: both end with
-- it. Null for those of members, and of before.
alter table embed_tokens add column api_token_id uuid;
alter table embed_tokens add constraint embed_tokens_api_token foreign key (org_id, api_token_id)
  references api_tokens (org_id, id) on delete cascade;
create index embed_tokens_of_api_token on embed_tokens (org_id, api_token_id) where api_token_id is not null;
-- No reference: an entry outlives it.
alter table lobby_entries add column program_id uuid;

create function api_token_works(org uuid, token uuid) returns boolean
language sql stable as $$
  select exists (select from api_tokens t where t.org_id = org and t.id = token
    and t.revoked_at is null and (t.expires_at is null or t.expires_at > now()))
$$;

create or replace function lobby_admits(entry lobby_entries, lobby_since timestamptz, roles text[])
returns boolean
language sql stable as $$
  select entry.state = 'admitted' and entry.decided_at > now() - interval '12 hours'
    and entry.decided_at >= coalesce(lobby_since, '-infinity')
    and (entry.program_id is null or api_token_works(entry.org_id, entry.program_id))
    and (entry.is_of_program or exists (select from memberships m
      where m.org_id = entry.org_id and m.account_id = entry.decided_by and m.role = any (roles)
        and m.runs_calls_since <= entry.decided_at))
$$;

-- Deliveries of webhooks that were made in the minute before, by the time in their ids (server/webhooks/jobs.ts).
create function webhook_deliveries_of_minute(ends_at timestamptz) returns table (org_id uuid, deliveries integer)
language sql stable security definer set search_path = public, pg_temp as $$
  with bounds as (
    select encode(overlay(decode(repeat('00', 16), 'hex')
      placing substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6), 'hex')::uuid as id
    from unnest(array[ends_at - interval '1 minute', ends_at]) moment
  )
  select d.org_id, count(*)::integer from webhook_deliveries d
  where d.id >= (select min(id::text)::uuid from bounds) and d.id < (select max(id::text)::uuid from bounds)
  group by d.org_id
$$;
revoke all on function webhook_deliveries_of_minute(timestamptz) from public;
