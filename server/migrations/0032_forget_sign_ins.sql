-- Strangers begin sign-ins: they are forgotten as soon as they are over, tests an hour later. A row that
-- an organization has locked keeps those of others waiting for nothing.
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
$$;
