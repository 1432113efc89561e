-- Security mails that are for admins belong to no organization, and were sent to those who had ceased to be admins.
create or replace function forget_mails_of_former_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mails where account_id = old.account_id and sent_at is null
    and (org_id = old.org_id and kind = 'notice' or org_id is null and roles is not null);
  return null;
end $$;
create or replace function forget_mails_of_former_role() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mails where account_id = new.account_id and (org_id = new.org_id or org_id is null)
    and not new.role = any (roles) and sent_at is null;
  return null;
end $$;

-- An invitation that was canceled, or has new links, while the mail server could not be reached.
create function forget_mail_of_invitation() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mails where org_id = old.org_id and recipient = old.email and kind = 'invitation' and sent_at is null;
  return null;
end $$;
revoke all on function forget_mail_of_invitation() from public;
create index mails_waiting_of_recipient on mails (org_id, recipient) where sent_at is null;
create trigger invitations_forget_mail after update of cancelled_at, token_hash on invitations
  for each row execute function forget_mail_of_invitation();
create trigger invitations_forget_mail_of_deleted after delete on invitations
  for each row execute function forget_mail_of_invitation();
