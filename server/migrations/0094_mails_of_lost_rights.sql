-- A mail that waits for the mail server, and that its reader may have only as a member, or with a role, is deleted once
-- they have lost that. It was so for mails about calls only.
alter table mails add column roles text[];
comment on column mails.roles is 'Roles whose holders may read it; null for any.';

create function forget_mails_of_former_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mails where account_id = old.account_id and org_id = old.org_id and kind = 'notice' and sent_at is null;
  return null;
end $$;
revoke all on function forget_mails_of_former_member() from public;
drop trigger call_mails_of_former_member on memberships;
create trigger memberships_forget_mails after delete on memberships
  for each row execute function forget_mails_of_former_member();

create function forget_mails_of_former_role() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mails where account_id = new.account_id and org_id = new.org_id and not new.role = any (roles)
    and sent_at is null;
  return null;
end $$;
revoke all on function forget_mails_of_former_role() from public;
create trigger memberships_forget_mails_of_role after update of role on memberships
  for each row when (old.role is distinct from new.role)
  execute function forget_mails_of_former_role();
