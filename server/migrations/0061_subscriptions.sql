-- What the card provider last said about an organization's subscription.
create table subscriptions (
  org_id uuid primary key references organizations (id) on delete cascade,
  customer_id text,
  -- Requests to create a customer or a subscription that share this number create one.
  attempt integer not null default 0,
  -- Grows with each reading, so that an older one never overwrites a newer one.
  version integer not null default 0,
  subscription_id text,
  status text,
  billing_interval text,
  period_ends_at timestamptz,
  cancels_at timestamptz,
  -- The plan that the organization has because of the subscription.
  granted_plan text,
  read_at timestamptz,
  constraint subscriptions_customer unique (customer_id),
  constraint subscriptions_known check ((subscription_id is null) = (status is null)),
  constraint subscriptions_interval check (billing_interval in ('month', 'year')),
  constraint subscriptions_status check (status in ('trialing', 'active', 'past_due', 'unpaid',
    'paused', 'canceled', 'incomplete', 'incomplete_expired'))
);
create index subscriptions_by_reading on subscriptions (read_at nulls first)
  where customer_id is not null;

-- Webhooks of the card provider, stored before they are answered. They only say that something has
-- changed: the state is read from the provider, so their order does not matter.
create table billing_events (
  id text primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  type text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  constraint billing_events_lengths check (length(id) <= 255 and length(type) <= 255)
);
create index billing_events_due on billing_events (next_attempt_at) where processed_at is null;
create index billing_events_of_org on billing_events (org_id);
-- Rows arrive in this order, so a summary of their blocks is enough, and costs an insert nothing.
create index billing_events_received on billing_events using brin (received_at);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['subscriptions', 'billing_events'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Stores a webhook once. Those about customers of other products are not ours to keep.
create function store_billing_event(event_id text, event_type text, customer text, happened_at timestamptz)
returns void
-- PL/pgSQL keeps the plan between calls in every version of PostgreSQL.
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into billing_events (id, org_id, type, occurred_at)
    select event_id, s.org_id, event_type, happened_at from subscriptions s
    where s.customer_id = customer
  on conflict (id) do nothing;
end $$;
revoke all on function store_billing_event(text, text, text, timestamptz) from public;

-- Claims the organizations whose webhooks are due, for this process. One reading serves all of an
-- organization's. A failure is retried later and later, for three days in all.
create function take_billing_events(most integer) returns table (org_id uuid, events text[])
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select e.id from billing_events e
    where e.processed_at is null and e.next_attempt_at <= clock_timestamp() and e.attempts < 80
    order by e.next_attempt_at limit most
    for no key update skip locked
  ), taken as (
    update billing_events e set attempts = e.attempts + 1,
      next_attempt_at = clock_timestamp()
        + least(interval '1 hour', interval '30 seconds' * power(2, e.attempts))
    from due where e.id = due.id returning e.org_id, e.id
  )
  select t.org_id, array_agg(t.id) from taken t group by t.org_id
$$;
revoke all on function take_billing_events(integer) from public;

-- The organizations whose state was read the longest ago. Ended subscriptions change no more.
create function subscriptions_to_read(read_before timestamptz, most integer) returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id from subscriptions s
  where s.customer_id is not null and (s.read_at is null or s.read_at < read_before)
    and (s.status is null or s.status not in ('canceled', 'incomplete_expired'))
  order by s.read_at nulls first limit most
$$;
revoke all on function subscriptions_to_read(timestamptz, integer) from public;

create function forget_billing_events(received_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from billing_events where received_at < received_before
$$;
revoke all on function forget_billing_events(timestamptz) from public;
