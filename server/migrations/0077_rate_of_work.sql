-- Deliveries have places: of an endpoint, and now of an organization, too. A place is taken for a second at least
-- (server/webhooks/note-attempt.ts), so places are also a rate.
drop function take_due_webhooks(integer, integer, integer);
create function take_due_webhooks(most integer, per_endpoint integer, per_organization integer, seconds integer)
returns table (id uuid, org_id uuid, endpoint_id uuid, event_id uuid, attempts integer, first_try_at timestamptz,
  kind text, url text, secret_sealed text, previous_secret_sealed text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  present timestamptz;
begin
  -- One process after the other: together they would send an endpoint more than it may get.
  perform pg_advisory_xact_lock(7203062);
  -- A variable, because no index is searched for the value of a volatile function.
  present := clock_timestamp();
  return query
    with busy as (
      select d.org_id, d.endpoint_id, count(*)::int as deliveries from webhook_deliveries d
      where d.sending_until > present group by d.org_id, d.endpoint_id
    ), looked as materialized (
      select d.id, e.org_id, e.id as endpoint_id, d.next_try_at, d.place, d.is_first, d.first_try,
        row_number() over (partition by e.id, d.is_first order by d.next_try_at, d.place)
          + coalesce(b.deliveries, 0) as of_endpoint
      from webhook_endpoints e
      left join busy b on b.endpoint_id = e.id
      cross join lateral (
        select w.id, w.next_try_at, w.place, w.place = earliest.place as is_first,
          earliest.next_try_at as first_try
        from (
          select v.id, v.order_key, v.next_try_at, v.place from webhook_deliveries v
          where v.endpoint_id = e.id and v.state = 'waiting' and v.next_try_at <= present
          order by v.next_try_at, v.place limit 200
        ) w
        cross join lateral (
          select f.place, f.next_try_at from webhook_deliveries f
          where f.endpoint_id = e.id and f.order_key = w.order_key and f.state = 'waiting'
          order by f.place limit 1
        ) earliest
      ) d
      where e.disabled_at is null and (e.paused_until is null or e.paused_until <= present)
        and coalesce(b.deliveries, 0) < per_endpoint
    ), blocked as (
      -- The end of the earlier one may have made it due meanwhile.
      select w.id, l.first_try from looked l join webhook_deliveries w on w.id = l.id
      where not l.is_first and w.state = 'waiting' and w.next_try_at = l.next_try_at
      for no key update of w skip locked
    ), put_off as (
      update webhook_deliveries w set next_try_at = greatest(b.first_try, present + interval '10 minutes')
      from blocked b where b.id = w.id
    ), placed as (
      select l.id, row_number() over (partition by l.org_id order by l.next_try_at, l.place)
        + coalesce((select sum(b.deliveries) from busy b where b.org_id = l.org_id), 0) as turn,
        l.next_try_at, l.place
      from looked l where l.is_first and l.of_endpoint <= per_endpoint
    ), chosen as (
      select w.id from placed p join webhook_deliveries w on w.id = p.id
      where w.state = 'waiting' and p.turn <= per_organization
      order by p.turn, p.next_try_at, p.place limit most
      for no key update of w skip locked
    ), taken as (
      update webhook_deliveries w set attempts = w.attempts + 1,
        first_try_at = coalesce(w.first_try_at, present),
        sending_until = present + make_interval(secs => seconds),
        next_try_at = present + make_interval(secs => seconds)
      from chosen c where c.id = w.id
      returning w.id, w.org_id, w.endpoint_id, w.event_id, w.attempts, w.first_try_at
    )
    select t.id, t.org_id, t.endpoint_id, t.event_id, t.attempts, t.first_try_at, e.kind, e.url, e.secret_sealed,
      case when e.previous_secret_expires_at > present then e.previous_secret_sealed end
    from taken t join webhook_endpoints e on e.id = t.endpoint_id;
end $$;
revoke all on function take_due_webhooks(integer, integer, integer, integer) from public;

-- Of a capture, only a transcript is followed: what is recorded asks with each part (server/transcripts/live-speech.ts).
drop trigger captures_tell on captures;
create trigger captures_tell after insert or update of stopped_at on captures
  for each row when (new.kind = 'transcript') execute function tell_captures();
