-- What was made in a session of an identity provider ends with such sessions (0037): personal API tokens, and the
-- secret addresses of calendars. Of addresses that exist already, it is not known in which session they were made.
alter table calendar_feeds add column sso_org_id uuid;

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
  update api_tokens set revoked_at = now()
  where org_id = org and sso_org_id = org and account_id = any (concerned) and revoked_at is null;
  delete from calendar_feeds where org_id = org and sso_org_id = org and account_id = any (concerned);
end $$;
