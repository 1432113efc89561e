-- Mails: what ends them by one click, and the call that they are about. A server may take a minute to accept a mail,
-- so that a mail that is being sent is not taken by others for six minutes.

alter table mails
  add column unsubscribe_url text,
  add column call_id uuid,
  add constraint mails_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade not valid;
create index mails_of_call on mails (org_id, call_id) where call_id is not null;

drop function take_due_mails(integer);
create function take_due_mails(most integer)
returns table (
  id uuid, recipient text, subject text, body_text text, body_html text, unsubscribe_url text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- One process after the other: both would choose the same mails.
  perform pg_advisory_xact_lock(7203002);
  return query
    with due as (
      select m.id, m.kind <> 'security' as later, m.next_try_at,
        row_number() over (
          partition by m.kind = 'security',
            coalesce(m.org_id::text, m.caused_by::text, m.recipient)
          order by m.next_try_at, m.id
        ) as turn
      from mails m
      where m.sent_at is null and m.attempts < 12 and m.next_try_at <= clock_timestamp()
    ), chosen as (
      select d.id, d.later, d.turn, d.next_try_at from due d join mails m on m.id = d.id
      where m.sent_at is null and m.attempts < 12
      order by d.later, d.turn, d.next_try_at, d.id limit most
      for no key update of m skip locked
    ), placed as (
      select c.id, row_number() over (order by c.later, c.turn, c.next_try_at, c.id) as place
      from chosen c
    ), taken as (
      update mails m set attempts = m.attempts + 1, next_try_at = now() + interval '6 minutes'
      from placed p where p.id = m.id
      returning m.id, m.recipient, m.subject, m.body_text, m.body_html, m.unsubscribe_url, p.place
    )
    select t.id, t.recipient, t.subject, t.body_text, t.body_html, t.unsubscribe_url
    from taken t order by t.place;
end $$;
revoke all on function take_due_mails(integer) from public;

create or replace function mark_mail_sent(mail uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set sent_at = now(), last_error = null, body_text = '', body_html = '',
    unsubscribe_url = null
  where id = mail
$$;

create or replace function mark_mail_failed(mail uuid, error text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set last_error = error,
    next_try_at = now() + least(interval '1 hour', interval '1 minute' * power(2, attempts - 1)),
    body_text = case when attempts < 12 then body_text else '' end,
    body_html = case when attempts < 12 then body_html else '' end,
    unsubscribe_url = case when attempts < 12 then unsubscribe_url end
  where id = mail
$$;

-- Slack: its incoming webhooks are endpoints, too, whose address is the secret. `url` shows its last characters.

alter table webhook_endpoints
  add column kind text not null default 'standard',
  -- Of messages to people.
  add column language text,
  -- Scores up to this one are sent; null for all.
  add column highest_score smallint,
  drop constraint webhook_endpoints_disabled,
  add constraint webhook_endpoints_disabled check (
    (disabled_at is null) = (disabled_reason is null)
    and disabled_reason in ('member', 'failing', 'gone', 'no_service', 'channel_not_found',
      'channel_is_archived', 'action_prohibited')),
  add constraint webhook_endpoints_kind check (kind in ('standard', 'slack')),
  add constraint webhook_endpoints_language check (language in ('en', 'de')),
  add constraint webhook_endpoints_score check (highest_score between 0 and 10);

create or replace function emit_webhook_event(
  org uuid, event_type text, subject uuid, room uuid, call uuid, delay interval default '0')
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event uuid;
  receivers uuid[];
begin
  select array_agg(e.id) into receivers from webhook_endpoints e
  where e.org_id = org and e.disabled_at is null and event_type = any (e.events)
    and (event_type <> 'call.scored' or e.highest_score is null or exists (
      select from ratings g where g.org_id = org and g.id = subject and g.score <= e.highest_score));
  if receivers is null then return; end if;
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
    select webhook_id(), org, receiver, event, coalesce(call, room, subject), clock_timestamp() + delay
    from unnest(receivers) receiver;
end $$;

drop function take_due_webhooks(integer, integer, integer);
create function take_due_webhooks(most integer, per_endpoint integer, seconds integer)
returns table (id uuid, org_id uuid, endpoint_id uuid, event_id uuid, attempts integer, first_try_at timestamptz,
  kind text, url text, secret_sealed text, previous_secret_sealed text)
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
    select t.id, t.org_id, t.endpoint_id, t.event_id, t.attempts, t.first_try_at, e.kind, e.url, e.secret_sealed,
      case when e.previous_secret_expires_at > clock_timestamp() then e.previous_secret_sealed end
    from taken t join webhook_endpoints e on e.id = t.endpoint_id;
end $$;
revoke all on function take_due_webhooks(integer, integer, integer) from public;

-- Recaps: who gets a mail about a call that ended, who does not want any, and which calls had theirs.

create table recap_settings (
  org_id uuid primary key references organizations (id) on delete cascade,
  recipients text not null,
  -- Calls that ended before get none.
  enabled_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  changed_by uuid references accounts (id) on delete set null,
  constraint recap_settings_recipients check (recipients in ('nobody', 'agent', 'staff'))
);

create table recap_opt_outs (
  org_id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  opted_out_at timestamptz not null default now(),
  primary key (org_id, account_id),
  constraint recap_opt_outs_member foreign key (org_id, account_id)
    references memberships (org_id, account_id) on delete cascade
);

create table call_recaps (
  call_id uuid primary key,
  org_id uuid not null,
  handled_at timestamptz not null default now(),
  constraint call_recaps_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
create index call_recaps_of_org on call_recaps (org_id, call_id);

-- The secret addresses of calendars. A membership that ends takes its calendar with it.
create table calendar_feeds (
  org_id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (org_id, account_id),
  constraint calendar_feeds_token unique (token_hash),
  constraint calendar_feeds_member foreign key (org_id, account_id)
    references memberships (org_id, account_id) on delete cascade
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array[
    'recap_settings', 'recap_opt_outs', 'call_recaps', 'calendar_feeds'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Calls of the last day whose recap is due: once the summary is there, or after a quarter of an hour. Two minutes leave
-- time for the score. Organizations in turn.
create function recaps_due(most integer) returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.id, row_number() over (partition by c.org_id order by c.ended_at, c.id) as turn
    from calls c
    join recap_settings s on s.org_id = c.org_id
    left join call_insights i on i.org_id = c.org_id and i.call_id = c.id
    where c.ended_at between now() - interval '1 day' and now() - interval '2 minutes'
      and s.recipients <> 'nobody' and c.ended_at > s.enabled_at
      and (c.ended_at < now() - interval '15 minutes'
        or (i.state in ('ready', 'empty') and i.generated_at >= c.ended_at))
      and not exists (select from call_recaps r where r.call_id = c.id)
  )
  select d.org_id, d.id from due d order by d.turn, d.id limit most
$$;
revoke all on function recaps_due(integer) from public;
