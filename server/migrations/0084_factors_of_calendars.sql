-- A calendar address is refused where the session that made it would be: like personal API tokens (migration 0063), also
-- without the second factor that the organization requires.
alter table calendar_feeds
  -- Of the session. Nothing tells how those began that made the present addresses.
  add column two_factors boolean not null default false;

create function owner_of_calendar_feed(org uuid, hash bytea) returns table (account_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.account_id from calendar_feeds f
  cross join lateral api_token_admits(f.account_id, f.org_id, f.sso_org_id, f.two_factors) c
  where f.org_id = org and f.token_hash = hash and c.admits and c.is_strong
    and f.org_id = nullif(current_setting('app.tenant', true), '')::uuid
$$;
revoke all on function owner_of_calendar_feed(uuid, bytea) from public;

-- What names a waiting guest, and is deleted unsent when a guest is erased (server/mail/forget-call-mails.ts).
alter table mails add column room_id uuid;
