-- What a person made in a session of an identity provider ends when that provider's sessions end: the provider answered
-- for the person, and does not any more.

-- The organization whose identity provider authenticated the session in which the address was made, as for API tokens.
alter table calendar_feeds add column sso_org_id uuid;
-- Nothing tells how the sessions began that made the present addresses, so they may end with a provider's.
update calendar_feeds set sso_org_id = org_id;

-- Ends personal API tokens and calendar addresses with the sessions. Who makes one locks their account first, and has
-- it made before this looks, or finds the session gone.
create or replace function end_sso_sessions(org uuid, of_domain text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  concerned uuid[] := array(
    select a.id from accounts a join memberships m on m.account_id = a.id and m.org_id = org
    where split_part(a.email, '@', 2) = of_domain);
begin
  perform 1 from accounts where id = any (concerned) order by id for no key update;
  delete from sessions s using accounts a
  where s.sso_org_id = org and a.id = s.account_id and split_part(a.email, '@', 2) = of_domain
    and s.id::text is distinct from current_setting('app.kept_session', true);
  with tokens as (
    update api_tokens t set revoked_at = now()
    where t.org_id = org and t.account_id = any (concerned) and t.sso_org_id = org and t.revoked_at is null
    returning t.id
  ), feeds as (
    delete from calendar_feeds f
    where f.org_id = org and f.account_id = any (concerned) and f.sso_org_id = org
    returning f.account_id
  ), ended as (
    select 'API_TOKEN_REVOKED' as action, 'api_token' as entity, t.id as entity_id from tokens t
    union all select 'CALENDAR_FEED_REMOVED', 'account', f.account_id from feeds f
  )
  insert into audit_events (id, org_id, actor_kind, actor_id, action, entity, entity_id, metadata, created_at)
  select webhook_id(), org, 'system', 'single-sign-on', e.action, e.entity, e.entity_id,
    '{"endedWith": "single-sign-on"}', clock_timestamp()
  from ended e;
end $$;

-- Answers kept for an Idempotency-Key are forgotten when data of a person are erased (server/consent/forget-kept-answers.ts).
-- The key stays, so that its request still runs once.
alter table api_answers add column forgotten_at timestamptz;
create index api_answers_to_forget on api_answers (org_id, id) where forgotten_at is null;

-- Rooms that Egress records, or should: a number of each organization, organizations in turn. Those that are recorded
-- come first, and the others of an organization with more rooms have their turn in another look.
drop function rooms_recorded_by_egress(integer);
create function rooms_recorded_by_egress(of_organization integer, in_all integer)
returns table (org_id uuid, room_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.room_id, 0 as turn
    from captures k join calls c on c.org_id = k.org_id and c.id = k.call_id
    join media_rooms m on m.org_id = c.org_id and m.room_id = c.room_id and m.closed_at is null
    where k.kind = 'recording' and k.stopped_at is null and c.ended_at is null
    union
    select e.org_id, e.room_id, 1 from recorded_egresses e
  ), rooms_in_turn as (
    select d.org_id, d.room_id,
      row_number() over (partition by d.org_id order by min(d.turn), random()) as place
    from due d group by d.org_id, d.room_id
  )
  select r.org_id, r.room_id from rooms_in_turn r where r.place <= of_organization
  order by r.place, r.room_id limit in_all
$$;
revoke all on function rooms_recorded_by_egress(integer, integer) from public;
