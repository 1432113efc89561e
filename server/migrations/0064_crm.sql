-- HubSpot and Salesforce: connections, the authorization flows that make them, and the sync of each call.

-- Whom the room is for. Only by this address is a contact looked up.
alter table rooms add column customer_email text;
-- Not validated: the column is new, and a scan would hold the table's lock.
alter table rooms add constraint rooms_customer_email
  check (length(customer_email) between 3 and 254) not valid;
create index rooms_by_customer_email on rooms (org_id, customer_email) where customer_email is not null;

create table crm_connections (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  vendor text not null,
  -- The vendor's id of the account, and what people call it.
  account_id text not null,
  account_name text not null,
  -- Where the API is.
  api_base text not null,
  access_token_sealed text not null,
  refresh_token_sealed text not null,
  -- Null where the vendor does not say it.
  access_expires_at timestamptz,
  -- Set while a process refreshes the tokens.
  refreshing_until timestamptz,
  connected_at timestamptz not null default now(),
  connected_by uuid references accounts (id) on delete set null,
  attention_reason text,
  attention_at timestamptz,
  -- The vendor asked for a pause (Retry-After).
  paused_until timestamptz,
  -- For each part of a call, whether it is sent, and to which property.
  mapping jsonb not null,
  deletes_calls boolean not null default false,
  constraint crm_connections_org_key unique (org_id, id),
  constraint crm_connections_one unique (org_id, vendor),
  constraint crm_connections_vendor check (vendor in ('hubspot', 'salesforce')),
  constraint crm_connections_attention check (
    (attention_at is null) = (attention_reason is null)
    and attention_reason in ('revoked', 'forbidden'))
);

create table crm_flows (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  vendor text not null,
  session_id uuid not null references sessions (id) on delete cascade,
  state_hash bytea not null,
  -- PKCE (RFC 7636).
  verifier_sealed text not null,
  redirect_uri text not null,
  expires_at timestamptz not null,
  constraint crm_flows_state unique (org_id, state_hash)
);
create index crm_flows_of_session on crm_flows (session_id);
create index crm_flows_by_age on crm_flows (expires_at);

-- One row for each call and connection: what is to be sent, and what the vendor has. `call_id` has no foreign key,
-- because the row outlives a deleted call until it is deleted at the vendor, too.
create table crm_syncs (
  id uuid primary key,
  org_id uuid not null,
  connection_id uuid not null,
  call_id uuid not null,
  state text not null default 'waiting',
  -- Of `skipped` and `failed`; of `waiting`, why the last attempt failed.
  reason text,
  -- What the vendor answered, in short.
  detail text,
  -- The room's when the call ended.
  customer_email text,
  created_at timestamptz not null default clock_timestamp(),
  wanted_version integer not null default 1,
  attempts integer not null default 0,
  first_try_at timestamptz,
  next_try_at timestamptz not null,
  -- Set while a process works on it. `lease` tells its attempt from later ones.
  leased_until timestamptz,
  lease uuid,
  contact_kind text,
  contact_id text,
  -- An attempt to create the call may have succeeded without an answer.
  creating_at timestamptz,
  remote_id text,
  remote_digest text,
  synced_at timestamptz,
  call_deleted_at timestamptz,
  constraint crm_syncs_org_key unique (org_id, id),
  constraint crm_syncs_once unique (connection_id, call_id),
  constraint crm_syncs_connection foreign key (org_id, connection_id)
    references crm_connections (org_id, id) on delete cascade,
  constraint crm_syncs_state check (state in ('waiting', 'synced', 'skipped', 'failed')),
  constraint crm_syncs_reason check (reason is not null or state in ('waiting', 'synced')),
  constraint crm_syncs_detail check (length(detail) <= 300)
);
create index crm_syncs_due on crm_syncs (connection_id, next_try_at) where state = 'waiting';
create index crm_syncs_leased on crm_syncs (leased_until) where leased_until is not null;
create index crm_syncs_of_call on crm_syncs (org_id, call_id);
create index crm_syncs_by_email on crm_syncs (org_id, customer_email) where customer_email is not null;

-- The vendor's task of each action item.
create table crm_tasks (
  org_id uuid not null,
  sync_id uuid not null,
  item_id uuid not null,
  remote_id text not null,
  digest text not null,
  constraint crm_tasks_pkey primary key (sync_id, item_id),
  constraint crm_tasks_sync foreign key (org_id, sync_id)
    references crm_syncs (org_id, id) on delete cascade
);
create index crm_tasks_of_sync on crm_tasks (org_id, sync_id);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['crm_connections', 'crm_flows', 'crm_syncs', 'crm_tasks'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Makes the next attempt due. Edits come in bursts, so they are sent together. What a person must decide is left alone.
create function queue_crm_sync(org uuid, call uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update crm_syncs set wanted_version = wanted_version + 1,
    next_try_at = case when state = 'waiting' then next_try_at
      else clock_timestamp() + interval '20 seconds' end,
    attempts = case when state = 'waiting' then attempts else 0 end,
    first_try_at = case when state = 'waiting' then first_try_at end,
    reason = case when state = 'waiting' then reason end,
    detail = case when state = 'waiting' then detail end,
    state = 'waiting'
  where org_id = org and call_id = call
    and (state in ('waiting', 'synced') or (state = 'failed' and reason = 'unreachable'))
$$;
revoke all on function queue_crm_sync(uuid, uuid) from public;

create function crm_of_call_ended() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into crm_syncs (id, org_id, connection_id, call_id, customer_email, next_try_at)
    select webhook_id(), new.org_id, n.id, new.id, r.customer_email,
      -- The score and the summary follow soon.
      clock_timestamp() + interval '20 seconds'
    from crm_connections n join rooms r on r.org_id = new.org_id and r.id = new.room_id
    where n.org_id = new.org_id and r.sample_set_id is null
    on conflict do nothing;
  return null;
end $$;
create trigger crm_ended after update on calls for each row
  when (old.ended_at is null and new.ended_at is not null) execute function crm_of_call_ended();

create function crm_of_call_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform queue_crm_sync(new.org_id, new.id);
  return null;
end $$;
create trigger crm_notes_changed after update on calls for each row
  when (old.ended_at is not null and old.notes_snapshot is distinct from new.notes_snapshot)
  execute function crm_of_call_changed();

create function crm_of_part_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform queue_crm_sync(old.org_id, old.call_id);
  else
    perform queue_crm_sync(new.org_id, new.call_id);
  end if;
  return null;
end $$;
create trigger crm_scored after insert or delete on ratings for each row
  execute function crm_of_part_changed();
create trigger crm_scored_again after update on ratings for each row
  when ((old.score, old.feedback) is distinct from (new.score, new.feedback))
  execute function crm_of_part_changed();
create trigger crm_summarized after insert on call_insights for each row
  when (new.state = 'ready') execute function crm_of_part_changed();
create trigger crm_summarized_again after update on call_insights for each row
  when (old.insights is distinct from new.insights) execute function crm_of_part_changed();
create trigger crm_item_changed after insert or delete on action_items for each row
  execute function crm_of_part_changed();
create trigger crm_item_updated after update on action_items for each row
  when ((old.title, old.description, old.priority, old.due_on, old.completed_at)
    is distinct from (new.title, new.description, new.priority, new.due_on, new.completed_at))
  execute function crm_of_part_changed();

-- A deleted call is deleted at the vendor if the organization wants that. What a process works on may be created
-- there at this moment, so it stays, too.
create function crm_of_call_deleted() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from crm_syncs s using crm_connections n
  where s.org_id = old.org_id and s.call_id = old.id and n.id = s.connection_id
    and (not n.deletes_calls or (s.remote_id is null and s.creating_at is null and s.leased_until is null));
  update crm_syncs set call_deleted_at = clock_timestamp(), customer_email = null, state = 'waiting',
    wanted_version = wanted_version + 1, reason = null, detail = null, attempts = 0, first_try_at = null,
    next_try_at = greatest(clock_timestamp(), leased_until)
  where org_id = old.org_id and call_id = old.id;
  return null;
end $$;
create trigger crm_deleted after delete on calls for each row execute function crm_of_call_deleted();

-- Claims syncs that are due, at most `per_connection` at a time of a connection, by all processes. Organizations with
-- the fewest in progress come first.
create function take_due_crm_syncs(most integer, per_connection integer, seconds integer)
returns table (id uuid, org_id uuid, lease uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- One process after the other: together they would ask a vendor for more than it allows.
  perform pg_advisory_xact_lock(7203064);
  return query
    with busy as (
      select s.org_id, s.connection_id, count(*)::int as syncs from crm_syncs s
      where s.leased_until > clock_timestamp() group by s.org_id, s.connection_id
    ), due as (
      select d.id, n.org_id, d.next_try_at
      from crm_connections n
      left join busy b on b.connection_id = n.id
      cross join lateral (
        select s.id, s.next_try_at from crm_syncs s
        where s.connection_id = n.id and s.state = 'waiting' and s.next_try_at <= clock_timestamp()
          and (s.leased_until is null or s.leased_until <= clock_timestamp())
        order by s.next_try_at
        limit greatest(0, least(most, per_connection - coalesce(b.syncs, 0)))
      ) d
      where n.attention_at is null and (n.paused_until is null or n.paused_until <= clock_timestamp())
    ), placed as (
      select d.id, row_number() over (partition by d.org_id order by d.next_try_at)
        + coalesce((select sum(b.syncs) from busy b where b.org_id = d.org_id), 0) as turn,
        d.next_try_at
      from due d
    ), chosen as (
      select s.id from placed p join crm_syncs s on s.id = p.id
      where s.state = 'waiting'
      order by p.turn, p.next_try_at limit most
      for no key update of s skip locked
    )
    update crm_syncs s set attempts = s.attempts + 1,
      first_try_at = coalesce(s.first_try_at, clock_timestamp()), lease = gen_random_uuid(),
      leased_until = clock_timestamp() + make_interval(secs => seconds)
    from chosen c where c.id = s.id
    returning s.id, s.org_id, s.lease;
end $$;
revoke all on function take_due_crm_syncs(integer, integer, integer) from public;

-- Deletes flows that no one has finished.
create function forget_crm_flows() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from crm_flows where expires_at < now()
$$;
revoke all on function forget_crm_flows() from public;
