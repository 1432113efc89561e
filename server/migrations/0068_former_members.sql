-- Mails about calls that wait for the mail server are deleted once their reader leaves or ends them.
create function forget_waiting_call_mails() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from mails where account_id = old.account_id and org_id = old.org_id and call_id is not null
      and sent_at is null;
  else
    delete from mails where account_id = new.account_id and org_id = new.org_id and call_id is not null
      and sent_at is null;
  end if;
  return null;
end $$;
create trigger call_mails_of_former_member after delete on memberships for each row
  execute function forget_waiting_call_mails();
create trigger call_mails_of_opted_out after insert on recap_opt_outs for each row
  execute function forget_waiting_call_mails();
