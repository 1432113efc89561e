-- The models for speech-to-text that admins have asked this installation to fetch. They belong to no organization,
-- and their rows name none. The files are in the data folder of each server.
create table speech_models (
  name text primary key,
  -- Null once it was removed.
  wanted_at timestamptz,
  -- Files older than this are deleted.
  removed_at timestamptz,
  state text not null,
  received_bytes bigint not null default 0,
  -- Of `failed`.
  failure text,
  attempts integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  -- Set while a process fetches it. `lease` tells its attempt from later ones.
  lease uuid,
  leased_until timestamptz,
  -- How often it was asked for on this day (UTC).
  requests_on date not null,
  requests integer not null,
  constraint speech_models_name check (name ~ '^[a-z0-9][a-z0-9.-]{0,63}$'),
  constraint speech_models_state check (
    state in ('waiting', 'fetching', 'verifying', 'interrupted', 'ready', 'failed')),
  constraint speech_models_failure check ((failure is not null) = (state = 'failed')),
  constraint speech_models_removed check ((wanted_at is null) = (removed_at is not null)),
  constraint speech_models_lease check ((lease is null) = (leased_until is null))
);

-- Leases the model that has waited longest, of those that a server describes and does not have. One at a time is
-- fetched in the installation.
create function take_speech_model(missing text[], new_lease uuid, lease_seconds integer)
returns table (name text, attempts integer)
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7203071);
  return query update speech_models m
    set lease = new_lease, leased_until = clock_timestamp() + make_interval(secs => lease_seconds),
      state = 'fetching', failure = null, attempts = m.attempts + 1
    where m.name = (
      select s.name from speech_models s
      where s.name = any(missing) and s.wanted_at is not null and s.state <> 'failed'
        and s.next_try_at <= clock_timestamp()
        and not exists (select from speech_models r where r.leased_until > clock_timestamp())
      order by s.wanted_at, s.name limit 1)
    returning m.name, m.attempts;
end $$;

revoke all on function take_speech_model(text[], uuid, integer) from public;

-- Whether an organization other than the one that asks has calls transcribed. It tells no more than that.
create function is_transcribed_elsewhere() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from capture_settings
    where kind = 'transcript' and mode <> 'off'
      and org_id is distinct from nullif(current_setting('app.tenant', true), '')::uuid)
$$;
revoke all on function is_transcribed_elsewhere() from public;
