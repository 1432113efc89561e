-- An end of someone's sign-ins was noted for their address alone. Their identity provider may know them by another one,
-- or by one that the account had before: it is noted for the identity at the provider, too, and for a former address
-- (server/sso/admit-person.ts).
alter table ended_sign_ins rename column email_hash to proof_hash;

create function hash_of_address(address text) returns bytea
language sql immutable as $$ select sha256(convert_to(address, 'UTF8')) $$;
create function hash_of_identity(connection uuid, subject text) returns bytea
language sql immutable as $$ select sha256(convert_to(connection || ' ' || subject, 'UTF8')) $$;

create function note_ended_proofs(org uuid, hashes bytea[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into ended_sign_ins as e (org_id, proof_hash, ended_at)
  select org, hash, clock_timestamp() from unnest(hashes) hash group by hash order by hash
  on conflict (org_id, proof_hash) do update set ended_at = greatest(e.ended_at, excluded.ended_at)
$$;
revoke all on function note_ended_proofs(uuid, bytea[]) from public;

create or replace function note_ended_sign_in(org uuid, account uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  select note_ended_proofs(org, array(
    select hash_of_address(a.email) from accounts a where a.id = account
    union all
    select hash_of_identity(i.connection_id, i.subject) from sso_identities i
    where i.org_id = org and i.account_id = account))
$$;

-- Identities are deleted with the membership, before its own trigger runs.
create function note_end_of_identity() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_ended_proofs(old.org_id, array[hash_of_identity(old.connection_id, old.subject)]);
  return null;
end $$;
revoke all on function note_end_of_identity() from public;
create trigger sso_identities_note_end after delete on sso_identities
  for each row execute function note_end_of_identity();

create function note_former_address() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_ended_proofs(m.org_id, array[hash_of_address(old.email)])
  from memberships m where m.account_id = old.id;
  return null;
end $$;
revoke all on function note_former_address() from public;
create trigger accounts_note_former_address after update of email on accounts
  for each row when (old.email is distinct from new.email) execute function note_former_address();

drop function sign_in_has_ended(uuid, text, timestamptz);
create function has_ended(org uuid, hash bytea, asked_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from ended_sign_ins e
    where e.org_id = org and e.proof_hash = hash and e.ended_at >= asked_at)
$$;
revoke all on function has_ended(uuid, bytea, timestamptz) from public;

-- Of what an identity provider has answered.
create function sign_in_has_ended(org uuid, address text, connection uuid, subject text, asked_at timestamptz)
returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select has_ended(org, hash_of_address(address), asked_at)
    or has_ended(org, hash_of_identity(connection, subject), asked_at)
$$;
revoke all on function sign_in_has_ended(uuid, text, uuid, text, timestamptz) from public;

-- Of an account, as it is when its session begins.
create function sign_in_of_account_has_ended(org uuid, account uuid, asked_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from accounts a where a.id = account and has_ended(org, hash_of_address(a.email), asked_at))
    or exists (select from sso_identities i where i.org_id = org and i.account_id = account
      and has_ended(org, hash_of_identity(i.connection_id, i.subject), asked_at))
$$;
revoke all on function sign_in_of_account_has_ended(uuid, uuid, timestamptz) from public;

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
  delete from ended_sign_ins where (org_id, proof_hash) in (
    select org_id, proof_hash from ended_sign_ins where ended_at < now() - interval '1 hour'
    for update skip locked
  );
$$;
