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
