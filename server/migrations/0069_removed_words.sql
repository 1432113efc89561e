-- CRMs and mails: words that are removed here are removed from what was sent, and from what waits to be sent.

alter table crm_syncs
  -- The properties of the mapping that the vendor may have a value of. Those that are mapped no more are emptied.
  add column sent_properties text[] not null default '{}',
  -- By which a call is found there whose creation was not answered, once it is deleted here.
  add column call_started_at timestamptz;
update crm_syncs s
  set sent_properties = array(
    select part.value ->> 'property' from jsonb_each(n.mapping) part
    where (part.value ->> 'isSent')::boolean and part.value ->> 'property' is not null)
  from crm_connections n
  where n.org_id = s.org_id and n.id = s.connection_id and (s.remote_id is not null or s.creating_at is not null);

-- A flow is deleted with the connection that it makes, so that a Disconnect meanwhile ends it.
alter table crm_flows add column taken_at timestamptz;

-- As in migration 0064. What the vendor has refused is tried again after a change if the vendor has the call: something
-- may have been removed from it.
create or replace function queue_crm_sync(org uuid, call uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update crm_syncs set wanted_version = wanted_version + 1,
    next_try_at = case when state = 'waiting' then next_try_at
      else clock_timestamp() + interval '20 seconds' end,
    attempts = case when state = 'waiting' then attempts else 0 end,
    first_try_at = case when state = 'waiting' then first_try_at end,
    reason = case when state = 'waiting' then reason end,
    detail = case when state = 'waiting' then detail end,
    state = 'waiting'
  where org_id = org and call_id = call
    and (state in ('waiting', 'synced') or (state = 'failed' and reason = 'unreachable')
      or (state = 'failed' and reason = 'rejected' and remote_id is not null))
$$;

create trigger crm_summary_removed after delete on call_insights for each row
  execute function crm_of_part_changed();

-- A person has withdrawn, and a legal hold keeps the words here.
create function words_are_held() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform queue_crm_sync(new.org_id, new.call_id);
  delete from mails where org_id = new.org_id and call_id = new.call_id and sent_at is null;
  return null;
end $$;
create trigger words_held after insert on held_removals for each row execute function words_are_held();

-- As in migration 0057, and mails about the call that were not sent yet are canceled. Last, because a recap that is being
-- queued has locked what is deleted before.
create or replace function forget_derived() returns trigger
language plpgsql as $$
begin
  delete from ai_answers a using (select distinct org_id, call_id from gone) g
    where a.org_id = g.org_id and a.call_id = g.call_id;
  delete from call_insights i using (select distinct org_id, call_id from gone) g
    where i.org_id = g.org_id and i.call_id = g.call_id;
  delete from action_items i using gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id
      and i.title_edited_at is null;
  delete from action_items i using action_item_lists l
    where l.org_id = i.org_id and l.call_id = i.call_id and not l.offline
      and i.cited_line_id is not null and i.title_edited_at is null and i.completed_at is null
      and exists (select from gone g where g.org_id = i.org_id and g.call_id = i.call_id);
  update action_items i
    set description = '', due = null, owner = nullif(owner, cited_speaker), cited_line_id = null, cited_start_ms = null, cited_speaker = null
    from gone g
    where i.org_id = g.org_id and i.call_id = g.call_id and i.cited_line_id = g.id;
  delete from mails m using (select distinct org_id, call_id from gone) g
    where m.org_id = g.org_id and m.call_id = g.call_id and m.sent_at is null;
  return null;
end $$;

-- Whether a mail that was taken is still to be sent.
create function is_mail_waiting(mail uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from mails where id = mail and sent_at is null)
$$;
revoke all on function is_mail_waiting(uuid) from public;
