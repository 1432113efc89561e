-- Webhooks: endpoints of an organization, the events that they subscribe to, and each delivery with its attempts.

create table webhook_endpoints (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  url text not null,
  description text not null,
  events text[] not null,
  secret_sealed text not null,
  -- Signs, too, until it expires.
  previous_secret_sealed text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  disabled_at timestamptz,
  disabled_by uuid references accounts (id) on delete set null,
  disabled_reason text,
  -- The receiver asked for a pause (Retry-After).
  paused_until timestamptz,
  constraint webhook_endpoints_org_key unique (org_id, id),
  constraint webhook_endpoints_url check (length(url) between 1 and 2000),
  constraint webhook_endpoints_description check (length(description) <= 200),
  constraint webhook_endpoints_disabled check (
    (disabled_at is null) = (disabled_reason is null)
    and disabled_reason in ('member', 'failing', 'gone')),
  constraint webhook_endpoints_previous check (
    (previous_secret_sealed is null) = (previous_secret_expires_at is null))
);

-- References only: the payload is built when it is sent, so that nothing of a deleted call or an erased person is
-- kept here.
create table webhook_events (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  type text not null,
  subject_id uuid not null,
  room_id uuid,
  call_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhook_events_org_key unique (org_id, id),
  constraint webhook_events_room foreign key (org_id, room_id)
    references rooms (org_id, id) on delete cascade,
  constraint webhook_events_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
create index webhook_events_of_call on webhook_events (org_id, call_id) where call_id is not null;
create index webhook_events_of_room on webhook_events (org_id, room_id) where room_id is not null;
create index webhook_events_by_age on webhook_events (created_at);

create table webhook_deliveries (
  id uuid primary key,
  org_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- Deliveries of a call, or of another thing, are made in the order of `place`.
  order_key uuid not null,
  place bigint generated always as identity,
  state text not null default 'waiting',
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  -- The retries last 24 hours from here.
  first_try_at timestamptz,
  next_try_at timestamptz not null default clock_timestamp(),
  -- Set while a process sends it.
  sending_until timestamptz,
  last_status integer,
  finished_at timestamptz,
  constraint webhook_deliveries_org_key unique (org_id, id),
  constraint webhook_deliveries_once unique (endpoint_id, event_id),
  constraint webhook_deliveries_endpoint foreign key (org_id, endpoint_id)
    references webhook_endpoints (org_id, id) on delete cascade,
  constraint webhook_deliveries_event foreign key (org_id, event_id)
    references webhook_events (org_id, id) on delete cascade,
  constraint webhook_deliveries_state check (state in ('waiting', 'delivered', 'failed', 'gone')),
  constraint webhook_deliveries_finished check ((state = 'waiting') = (finished_at is null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, place)
  where state = 'waiting';
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, order_key, place)
  where state = 'waiting';
create index webhook_deliveries_sending on webhook_deliveries (sending_until)
  where sending_until is not null;
create index webhook_deliveries_of_endpoint on webhook_deliveries (org_id, endpoint_id, id desc);
create index webhook_deliveries_of_event on webhook_deliveries (org_id, event_id);

create table webhook_attempts (
  id uuid primary key,
  org_id uuid not null,
  delivery_id uuid not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null where no answer came.
  status integer,
  failure text,
  -- The first 4 KB of the answer. A receiver may repeat what was sent, so erasures empty it.
  response text,
  constraint webhook_attempts_delivery foreign key (org_id, delivery_id)
    references webhook_deliveries (org_id, id) on delete cascade,
  constraint webhook_attempts_response check (length(response) <= 4096)
);
create index webhook_attempts_of_delivery on webhook_attempts (org_id, delivery_id, id desc);
create index webhook_attempts_with_response on webhook_attempts (org_id) where response is not null;

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array[
    'webhook_endpoints', 'webhook_events', 'webhook_deliveries', 'webhook_attempts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- A UUID of version 7, so that lists in the order of ids are in the order of time.
create function webhook_id() returns uuid
language sql volatile set search_path = public, pg_temp as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
    from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;
revoke all on function webhook_id() from public;

-- Stores an event, and a delivery for each enabled endpoint that subscribes to it, in the transaction of the change.
-- Sample data cause none.
create function emit_webhook_event(
  org uuid, event_type text, subject uuid, room uuid, call uuid, delay interval default '0')
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event uuid;
begin
  if not exists (
    select from webhook_endpoints e
    where e.org_id = org and e.disabled_at is null and event_type = any (e.events)
  ) then return; end if;
  if call is not null then
    select c.room_id into room from calls c where c.id = call and c.org_id = org;
    -- The call is being deleted.
    if not found then return; end if;
  end if;
  if exists (select from rooms r where r.id = room and r.sample_set_id is not null) then return; end if;
  event := webhook_id();
  insert into webhook_events (id, org_id, type, subject_id, room_id, call_id)
    values (event, org, event_type, subject, room, call);
  insert into webhook_deliveries (id, org_id, endpoint_id, event_id, order_key, next_try_at)
    select webhook_id(), org, e.id, event, coalesce(call, room, subject), clock_timestamp() + delay
    from webhook_endpoints e
    where e.org_id = org and e.disabled_at is null and event_type = any (e.events);
end $$;
revoke all on function emit_webhook_event(uuid, text, uuid, uuid, uuid, interval) from public;

create function webhook_of_room() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, tg_argv[0], new.id, new.id, null);
  return null;
end $$;
create trigger webhook_created after insert on rooms for each row
  when (new.sample_set_id is null) execute function webhook_of_room('room.created');
create trigger webhook_archived after update on rooms for each row
  when (old.archived_at is null and new.archived_at is not null)
  execute function webhook_of_room('room.archived');

-- Where it is known who attends, a call starts when the first person joins.
create function webhook_of_call_created() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, 'call.started', new.id, new.room_id, new.id);
  return null;
end $$;
create trigger webhook_started after insert on calls for each row
  when (not new.attendance_known and new.ended_at is null) execute function webhook_of_call_created();

create function webhook_of_attendance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select from attendances other
    where other.org_id = new.org_id and other.call_id = new.call_id and other.id <> new.id
  ) then
    perform emit_webhook_event(new.org_id, 'call.started', new.call_id, null, new.call_id);
  end if;
  return null;
end $$;
create trigger webhook_started after insert on attendances for each row
  execute function webhook_of_attendance();

create function webhook_of_call_ended() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, 'call.ended', new.id, new.room_id, new.id);
  if exists (select from transcript_lines t where t.org_id = new.org_id and t.call_id = new.id) then
    -- The last phrases are stored moments after the end.
    perform emit_webhook_event(
      new.org_id, 'call.transcript_ready', new.id, new.room_id, new.id, interval '30 seconds');
  end if;
  return null;
end $$;
create trigger webhook_ended after update on calls for each row
  when (old.ended_at is null and new.ended_at is not null) execute function webhook_of_call_ended();

-- Of a call whose only lines are stored after its end.
create function webhook_of_late_lines() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  late record;
begin
  for late in
    select distinct c.org_id, c.id from added n join calls c on c.id = n.call_id and c.org_id = n.org_id
    where c.ended_at is not null and not exists (
      select from transcript_lines t
      where t.org_id = c.org_id and t.call_id = c.id and t.id not in (select id from added)
    )
  loop
    perform emit_webhook_event(
      late.org_id, 'call.transcript_ready', late.id, null, late.id, interval '30 seconds');
  end loop;
  return null;
end $$;
create trigger webhook_transcribed after insert on transcript_lines
  referencing new table as added for each statement execute function webhook_of_late_lines();

create function webhook_of_rating() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, 'call.scored', new.id, null, new.call_id);
  return null;
end $$;
create trigger webhook_scored after insert on ratings for each row execute function webhook_of_rating();
create trigger webhook_scored_again after update on ratings for each row
  when (old.score <> new.score) execute function webhook_of_rating();

create function webhook_of_summary() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, 'call.summary_ready', new.call_id, null, new.call_id);
  return null;
end $$;
create trigger webhook_summarized after insert on call_insights for each row
  when (new.state = 'ready') execute function webhook_of_summary();
create trigger webhook_summarized_again after update on call_insights for each row
  when (new.state = 'ready' and old.generated_at is distinct from new.generated_at)
  execute function webhook_of_summary();

create function webhook_of_action_item() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, tg_argv[0], new.id, null, new.call_id);
  return null;
end $$;
create trigger webhook_created after insert on action_items for each row
  execute function webhook_of_action_item('action_item.created');
create trigger webhook_completed after update on action_items for each row
  when (old.completed_at is null and new.completed_at is not null)
  execute function webhook_of_action_item('action_item.completed');
create trigger webhook_updated after update on action_items for each row
  when ((old.title, old.description, old.priority, old.owner, old.due, old.due_on, old.assignee_id,
      old.completed_at is null)
    is distinct from (new.title, new.description, new.priority, new.owner, new.due, new.due_on,
      new.assignee_id, new.completed_at is null or old.completed_at is null))
  execute function webhook_of_action_item('action_item.updated');

create function webhook_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    -- Not of an organization that is being deleted.
    if exists (select from organizations o where o.id = old.org_id)
      and not exists (select from organization_deletions d where d.org_id = old.org_id and d.due_at <= now())
    then
      perform emit_webhook_event(old.org_id, 'member.removed', old.account_id, null, null);
    end if;
  else
    perform emit_webhook_event(new.org_id, 'member.added', new.account_id, null, null);
  end if;
  return null;
end $$;
create trigger webhook_changed after insert or delete on memberships for each row
  execute function webhook_of_member();

create function webhook_of_invitation() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform emit_webhook_event(new.org_id, tg_argv[0], new.id, null, null);
  return null;
end $$;
create trigger webhook_created after insert on invitations for each row
  execute function webhook_of_invitation('invitation.created');
create trigger webhook_accepted after update on invitations for each row
  when (old.accepted_at is null and new.accepted_at is not null)
  execute function webhook_of_invitation('invitation.accepted');

-- Claims deliveries that are due: the first of each call or other thing, at most `per_endpoint` at a time of an
-- endpoint, by all processes. Organizations with the fewest in progress come first.
create function take_due_webhooks(most integer, per_endpoint integer, seconds integer)
returns table (id uuid, org_id uuid, endpoint_id uuid, event_id uuid, attempts integer, first_try_at timestamptz,
  url text, secret_sealed text, previous_secret_sealed text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- One process after the other: together they would send an endpoint more than it may get.
  perform pg_advisory_xact_lock(7203062);
  return query
    with busy as (
      select d.org_id, d.endpoint_id, count(*)::int as deliveries from webhook_deliveries d
      where d.sending_until > clock_timestamp() group by d.org_id, d.endpoint_id
    ), due as (
      select d.id, e.org_id, d.next_try_at, d.place
      from webhook_endpoints e
      left join busy b on b.endpoint_id = e.id
      cross join lateral (
        select w.id, w.next_try_at, w.place from webhook_deliveries w
        where w.endpoint_id = e.id and w.state = 'waiting' and w.next_try_at <= clock_timestamp()
          and not exists (
            select from webhook_deliveries earlier
            where earlier.endpoint_id = w.endpoint_id and earlier.order_key = w.order_key
              and earlier.state = 'waiting' and earlier.place < w.place
          )
        order by w.next_try_at, w.place
        limit greatest(0, least(most, per_endpoint - coalesce(b.deliveries, 0)))
      ) d
      where e.disabled_at is null and (e.paused_until is null or e.paused_until <= clock_timestamp())
    ), placed as (
      select d.id, row_number() over (partition by d.org_id order by d.next_try_at, d.place)
        + coalesce((select sum(b.deliveries) from busy b where b.org_id = d.org_id), 0) as turn,
        d.next_try_at, d.place
      from due d
    ), chosen as (
      select w.id from placed p join webhook_deliveries w on w.id = p.id
      where w.state = 'waiting'
      order by p.turn, p.next_try_at, p.place limit most
      for no key update of w skip locked
    ), taken as (
      update webhook_deliveries w set attempts = w.attempts + 1,
        first_try_at = coalesce(w.first_try_at, clock_timestamp()),
        sending_until = clock_timestamp() + make_interval(secs => seconds),
        next_try_at = clock_timestamp() + make_interval(secs => seconds)
      from chosen c where c.id = w.id
      returning w.id, w.org_id, w.endpoint_id, w.event_id, w.attempts, w.first_try_at
    )
    select t.id, t.org_id, t.endpoint_id, t.event_id, t.attempts, t.first_try_at, e.url, e.secret_sealed,
      case when e.previous_secret_expires_at > clock_timestamp() then e.previous_secret_sealed end
    from taken t join webhook_endpoints e on e.id = t.endpoint_id;
end $$;
revoke all on function take_due_webhooks(integer, integer, integer) from public;

-- Deletes some of the events that are older, with their deliveries. What a transaction holds is left for the next run.
create function forget_webhooks(created_before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from webhook_events where id in (
    select id from webhook_events where created_at < created_before
    order by created_at limit most for update skip locked);
  get diagnostics forgotten = row_count;
  update webhook_endpoints set previous_secret_sealed = null, previous_secret_expires_at = null
    where previous_secret_expires_at < now();
  return forgotten;
end $$;
revoke all on function forget_webhooks(timestamptz, integer) from public;

-- What a receiver answered about a call may repeat what was said.
create function forget_webhook_responses() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Those in progress store no answer (note-attempt.ts).
  update webhook_deliveries d set sending_until = null
  from (select distinct org_id, call_id from gone) g
    join webhook_events e on e.org_id = g.org_id and e.call_id = g.call_id
  where d.org_id = e.org_id and d.event_id = e.id and d.sending_until is not null;
  update webhook_attempts a set response = null
  from (select distinct org_id, call_id from gone) g
    join webhook_events e on e.org_id = g.org_id and e.call_id = g.call_id
    join webhook_deliveries d on d.org_id = e.org_id and d.event_id = e.id
  where a.org_id = d.org_id and a.delivery_id = d.id and a.response is not null;
  return null;
end $$;
create trigger transcript_lines_forget_webhook_responses
  after delete on transcript_lines referencing old table as gone
  for each statement execute function forget_webhook_responses();
