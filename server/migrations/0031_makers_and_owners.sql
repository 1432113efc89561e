-- An open invitation without a creator is that of an account that was deleted: no one answers for it.
create or replace function require_inviter() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from memberships m
    where m.org_id = new.org_id and m.account_id = new.created_by
      and may_invite_as(m.role, new.role)
  ) then
    return new;
  end if;
  return null;
end $$;

-- What was stored while its creator was being removed.
update invitations i set cancelled_at = now()
where i.accepted_at is null and i.cancelled_at is null
  and not exists (
    select from memberships m where m.org_id = i.org_id and m.account_id = i.created_by
      and may_invite_as(m.role, i.role));

-- As before, with a lock that follows those who wait for the membership: a shared one is taken past them.
create or replace function require_admin_of_token() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.orphaned_at is not null or coalesce(new.adopted_by, new.created_by) is null then
    return new;
  end if;
  perform 1 from memberships m
  where m.org_id = new.org_id and m.account_id = coalesce(new.adopted_by, new.created_by)
    and may_invite_as(m.role, 'ORGADMIN')
  for no key update;
  if not found then
    new.orphaned_at := now();
    new.own_expires_at := new.expires_at;
    new.expires_at := least(new.expires_at, now() + interval '7 days');
  end if;
  return new;
end $$;
revoke all on function require_inviter() from public;
revoke all on function require_admin_of_token() from public;

-- When the address was first verified, where that happened outside of the account's own sessions.
alter table accounts add column verified_as_owner_at timestamptz;

-- A membership from before that: another person may have made it with the address, and the owner could
-- not leave it. The owner of a verified domain speaks for its addresses.
create function unproved_membership_of(account uuid)
returns table (org_id uuid, came_by_copied_link boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.came_by_copied_link
  from memberships m
  join accounts a on a.id = m.account_id
  where m.account_id = account and m.role <> 'SUPERADMIN' and m.created_at < a.verified_as_owner_at
    and sso_organization_of_domain(split_part(a.email, '@', 2)) is distinct from m.org_id
$$;

-- As in 0013, but for such memberships: the identity provider does not know the address, and its owner
-- has to get in to leave.
create or replace function sso_required_of(account uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from memberships m
    join sso_policies p on p.org_id = m.org_id and p.required_at is not null
    where m.account_id = account and m.role <> 'SUPERADMIN' and not exists (
      select from sso_break_glass b
      where b.org_id = m.org_id and b.account_id = m.account_id and m.role = 'ORGADMIN')
  ) and not exists (select from unproved_membership_of(account))
$$;
revoke all on function unproved_membership_of(uuid) from public;
revoke all on function sso_required_of(uuid) from public;
