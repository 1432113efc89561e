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
