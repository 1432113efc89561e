-- Tokens of the public API: of a person, who is a member, or of the organization itself.

create table api_tokens (
  id uuid primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  -- Null for a token of the organization. A personal one goes with the membership.
  account_id uuid,
  name text not null,
  token_hash bytea not null,
  scopes text[] not null,
  -- What the session was worth in which a personal token was made (session_admits, migration 0028).
  sso_org_id uuid,
  two_factors boolean not null,
  created_at timestamptz not null default now(),
  created_by uuid references accounts (id) on delete set null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid references accounts (id) on delete set null,
  constraint api_tokens_org_key unique (org_id, id),
  constraint api_tokens_hash_key unique (token_hash),
  constraint api_tokens_name check (length(name) between 1 and 100),
  constraint api_tokens_scopes check (cardinality(scopes) between 1 and 20),
  constraint api_tokens_member foreign key (org_id, account_id)
    references memberships (org_id, account_id) on delete cascade
);
create index api_tokens_of_member on api_tokens (org_id, account_id, id desc);

alter table api_tokens enable row level security;
alter table api_tokens force row level security;
create policy tenant on api_tokens
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on api_tokens to current_user using (true);

-- Whether a personal token passes what the organization requires of a member's sessions: single sign-on, and two
-- factors. A factor that was removed since counts no more.
create function api_token_admits(
  account uuid, org uuid, sso_org uuid, two_factors boolean, out admits boolean, out is_strong boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select
    session_admits(sso_org, false, account, org, q.required_at),
    p.two_factor_required_at is null or sso_org is not null or two_factors and (
      exists (select from totp_factors f where f.account_id = account and f.confirmed_at is not null)
      or exists (select from passkeys k where k.account_id = account))
  from (select org as id) o
  left join sso_policies q on q.org_id = o.id
  left join sign_in_policies p on p.org_id = o.id
$$;
revoke all on function api_token_admits(uuid, uuid, uuid, boolean) from public;

-- The only look-up outside of an organization: by the hash of a whole token, before its organization is known.
create function find_api_token(hash bytea)
returns table (
  id uuid, org_id uuid, account_id uuid, role text, scopes text[], is_strong boolean, email_unverified boolean,
  is_stale boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.org_id, t.account_id, m.role, t.scopes, coalesce(c.is_strong, true),
    a.id is not null and a.email_verified_at is null
      and exists (select from email_verifications v where v.account_id = a.id),
    coalesce(t.last_used_at < now() - interval '1 minute', true)
  from api_tokens t
  left join memberships m on m.org_id = t.org_id and m.account_id = t.account_id
  left join accounts a on a.id = t.account_id
  left join lateral api_token_admits(t.account_id, t.org_id, t.sso_org_id, t.two_factors) c
    on t.account_id is not null
  where t.token_hash = hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
    and (t.account_id is null or m.role is not null and c.admits)
$$;
revoke all on function find_api_token(bytea) from public;

-- Skips a token that another request touches.
create function touch_api_token(token uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update api_tokens set last_used_at = now()
  where id = (select id from api_tokens where id = token for no key update skip locked)
$$;
revoke all on function touch_api_token(uuid) from public;

-- Ends each transaction of a token, as require_session does those of a session (migration 0027). `roles` is null for
-- a token of the organization.
create function require_api_token(token uuid, org uuid, roles text[]) returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found_token record;
begin
  select t.account_id, m.role, c.admits and c.is_strong as admits into found_token
  from api_tokens t
  left join memberships m on m.org_id = t.org_id and m.account_id = t.account_id
  left join lateral api_token_admits(t.account_id, t.org_id, t.sso_org_id, t.two_factors) c
    on t.account_id is not null
  where t.id = token and t.org_id = org and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > clock_timestamp());
  if not found or found_token.account_id is not null and not coalesce(found_token.admits, false) then
    raise exception 'the token has ended' using errcode = 'RA005';
  end if;
  if found_token.account_id is not null and not coalesce(found_token.role = any (roles), false) then
    raise exception 'the role does not suffice any more' using errcode = 'RA003';
  end if;
end $$;
revoke all on function require_api_token(uuid, uuid, text[]) from public;

-- The uses of each token in its present minute, by all processes. What a crash loses here is only a count.
create unlogged table api_token_uses (
  token_id uuid primary key references api_tokens (id) on delete cascade,
  org_id uuid not null,
  window_at timestamptz not null,
  uses integer not null
);

-- What was answered to a POST with an Idempotency-Key. `answer_sealed` is null while the request is in progress.
create table api_answers (
  id uuid primary key,
  org_id uuid not null,
  token_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  created_at timestamptz not null default now(),
  answer_sealed text,
  constraint api_answers_key unique (token_id, key_hash),
  constraint api_answers_token foreign key (org_id, token_id)
    references api_tokens (org_id, id) on delete cascade,
  constraint api_answers_length check (length(answer_sealed) <= 2000000)
);
create index api_answers_by_age on api_answers (created_at);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['api_token_uses', 'api_answers'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- Counts uses of a token in its window, and returns how many there were and in how many seconds the window ends.
create function count_api_uses(token uuid, org uuid, more integer, seconds integer, out counted integer, out resets integer)
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into api_token_uses as u (token_id, org_id, window_at, uses)
  values (token, org, clock_timestamp(), more)
  on conflict (token_id) do update set
    window_at = case when u.window_at > clock_timestamp() - make_interval(secs => seconds)
      then u.window_at else excluded.window_at end,
    uses = case when u.window_at > clock_timestamp() - make_interval(secs => seconds)
      then u.uses else 0 end + excluded.uses
  returning uses,
    ceil(extract(epoch from window_at + make_interval(secs => seconds) - clock_timestamp()))::integer
$$;
revoke all on function count_api_uses(uuid, uuid, integer, integer) from public;

create function forget_api_answers(created_before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from api_answers where id in (
    select id from api_answers where created_at < created_before
    order by created_at limit most for update skip locked);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function forget_api_answers(timestamptz, integer) from public;
