-- What only tells others must not refuse a change, nor wait for somebody else's: an endpoint of a webhook, or a
-- connection of a CRM, that is being deleted gets nothing more. The others stay until the commit. Whoever does not
-- delete one must lock it with `for no key update` at most, or what happens meanwhile is not told.
create or replace function emit_webhook_event(
  org uuid, event_type text, subject uuid, room uuid, call uuid, delay interval default '0')
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event uuid;
  receivers uuid[];
begin
  select array_agg(held.id) into receivers from (
    select e.id from webhook_endpoints e
    where e.org_id = org and e.disabled_at is null and event_type = any (e.events)
      and (event_type <> 'call.scored' or e.highest_score is null or exists (
        select from ratings g where g.org_id = org and g.id = subject and g.score <= e.highest_score))
    for key share of e skip locked
  ) held;
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

create or replace function crm_of_call_ended() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into crm_syncs (id, org_id, connection_id, call_id, customer_email, next_try_at)
    select webhook_id(), new.org_id, held.id, new.id, r.customer_email,
      -- The score and the summary follow soon.
      clock_timestamp() + interval '20 seconds'
    from (select n.id from crm_connections n where n.org_id = new.org_id for key share skip locked) held
    join rooms r on r.org_id = new.org_id and r.id = new.room_id
    where r.sample_set_id is null
    on conflict do nothing;
  return null;
end $$;
