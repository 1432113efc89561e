-- Revocation: the database itself tells every process which session, membership or guest link has
-- ended, so that no caller has to remember it and the operator's command line needs no extra step.
-- A notification carries ids only, is sent at commit, and reaches every process that listens.

create function tell_ended_session() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'session', 'sessionId', old.id)::text);
  return null;
end $$;
revoke all on function tell_ended_session() from public;
-- Deletes only: requests touch and rotate sessions all the time.
create trigger sessions_tell_end after delete on sessions
  for each row execute function tell_ended_session();

create function tell_ended_guest_link() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('revocations', json_build_object(
    'kind', 'guest-link', 'guestLinkId', old.id)::text);
  return null;
end $$;
revoke all on function tell_ended_guest_link() from public;
create trigger guest_links_tell_revocation after update of revoked_at on guest_links
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function tell_ended_guest_link();
create trigger guest_links_tell_end after delete on guest_links
  for each row execute function tell_ended_guest_link();

-- Which role may invite somebody as which: permission `team.manage`, and refuseBeyond in
-- server/team/member-store.ts. Null is somebody who is no member.
create function may_invite_as(own text, given text) returns boolean
language sql immutable set search_path = public, pg_temp as $$
  select coalesce(own = 'SUPERADMIN' or own = 'ORGADMIN' and given <> 'SUPERADMIN', false)
$$;

-- A token of somebody who has left or is no admin any more ends after a week, unless another admin
-- adopts it. `own_expires_at` is the end that it had before, and gets back with the adoption.
alter table scim_tokens
  add column orphaned_at timestamptz,
  add column own_expires_at timestamptz,
  add column adopted_at timestamptz,
  add column adopted_by uuid references accounts (id) on delete set null,
  add constraint scim_tokens_orphan_ends check (orphaned_at is null or expires_at is not null);

-- What ends with a membership, or with the rights of a former role, whichever statement ends it.
create function end_rights_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  role_now text := case when tg_op = 'UPDATE' then new.role end;
begin
  if role_now is null then
    -- A person who changes organizations themself keeps the session in which they do so.
    delete from sessions
    where account_id = old.account_id
      and id::text is distinct from current_setting('app.kept_session', true);
  end if;
  update invitations i set cancelled_at = now()
  where i.org_id = old.org_id and i.accepted_at is null and i.cancelled_at is null
    and ((i.created_by = old.account_id and not may_invite_as(role_now, i.role))
      or (role_now is null
        and i.email = (select a.email from accounts a where a.id = old.account_id)));
  if not may_invite_as(role_now, 'ORGADMIN') then
    update scim_tokens t
    set orphaned_at = now(), own_expires_at = t.expires_at,
      expires_at = least(t.expires_at, now() + interval '7 days')
    where t.org_id = old.org_id and coalesce(t.adopted_by, t.created_by) = old.account_id
      and t.revoked_at is null and t.orphaned_at is null
      and (t.expires_at is null or t.expires_at > now());
  end if;
  perform pg_notify('revocations', json_build_object(
    'kind', 'member', 'orgId', old.org_id, 'accountId', old.account_id)::text);
  return null;
end $$;
revoke all on function end_rights_of_member() from public;
create trigger memberships_end_rights after delete on memberships
  for each row execute function end_rights_of_member();
create trigger memberships_change_rights after update of role on memberships
  for each row when (old.role is distinct from new.role)
  execute function end_rights_of_member();

-- A token that is stored, or adopted, while its admin is being removed escapes the trigger above: the
-- lock waits for the removal, or the removal for it.
create function require_admin_of_token() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.orphaned_at is not null or coalesce(new.adopted_by, new.created_by) is null then
    return new;
  end if;
  perform 1 from memberships m
  where m.org_id = new.org_id and m.account_id = coalesce(new.adopted_by, new.created_by)
    and may_invite_as(m.role, 'ORGADMIN')
  for share;
  if not found then
    new.orphaned_at := now();
    new.own_expires_at := new.expires_at;
    new.expires_at := least(new.expires_at, now() + interval '7 days');
  end if;
  return new;
end $$;
revoke all on function require_admin_of_token() from public;
create trigger scim_tokens_require_admin before insert or update of adopted_by on scim_tokens
  for each row execute function require_admin_of_token();

-- An invitation that is stored while its creator is being removed escapes the cancelation above: it
-- is refused when it is accepted. The skipped update is what a used or canceled invitation shows too.
create function require_inviter() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.created_by is null or exists (
    select from memberships m
    where m.org_id = new.org_id and m.account_id = new.created_by
      and may_invite_as(m.role, new.role)
  ) then
    return new;
  end if;
  return null;
end $$;
revoke all on function require_inviter() from public;
create trigger invitations_require_inviter before update of accepted_at on invitations
  for each row when (old.accepted_at is null and new.accepted_at is not null)
  execute function require_inviter();

-- What those left behind who have gone before this version.
update scim_tokens t
set orphaned_at = now(), own_expires_at = t.expires_at,
  expires_at = least(t.expires_at, now() + interval '7 days')
where t.created_by is not null and t.revoked_at is null
  and (t.expires_at is null or t.expires_at > now())
  and not exists (
    select from memberships m where m.org_id = t.org_id and m.account_id = t.created_by
      and may_invite_as(m.role, 'ORGADMIN'));
update invitations i set cancelled_at = now()
where i.created_by is not null and i.accepted_at is null and i.cancelled_at is null
  and not exists (
    select from memberships m where m.org_id = i.org_id and m.account_id = i.created_by
      and may_invite_as(m.role, i.role));

-- Where a guest in the lobby comes from: one address must not fill the list that hosts see. An IPv6
-- address is kept as its /64. The link's row may go before the entry does.
alter table lobby_entries
  add column address text,
  add column guest_link_id uuid;
