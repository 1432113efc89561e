-- Mails: what ends them by one click, and the call that they are about. A server may take a minute to accept a mail,
-- so that a mail that is being sent is not taken by others for six minutes.

alter table mails
  add column unsubscribe_url text,
  add column call_id uuid,
  add constraint mails_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade not valid;
create index mails_of_call on mails (org_id, call_id) where call_id is not null;

drop function take_due_mails(integer);
create function take_due_mails(most integer)
returns table (
  id uuid, recipient text, subject text, body_text text, body_html text, unsubscribe_url text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- One process after the other: both would choose the same mails.
  perform pg_advisory_xact_lock(7203002);
  return query
    with due as (
      select m.id, m.kind <> 'security' as later, m.next_try_at,
        row_number() over (
          partition by m.kind = 'security',
            coalesce(m.org_id::text, m.caused_by::text, m.recipient)
          order by m.next_try_at, m.id
        ) as turn
      from mails m
      where m.sent_at is null and m.attempts < 12 and m.next_try_at <= clock_timestamp()
    ), chosen as (
      select d.id, d.later, d.turn, d.next_try_at from due d join mails m on m.id = d.id
      where m.sent_at is null and m.attempts < 12
      order by d.later, d.turn, d.next_try_at, d.id limit most
      for no key update of m skip locked
    ), placed as (
      select c.id, row_number() over (order by c.later, c.turn, c.next_try_at, c.id) as place
      from chosen c
    ), taken as (
      update mails m set attempts = m.attempts + 1, next_try_at = now() + interval '6 minutes'
      from placed p where p.id = m.id
      returning m.id, m.recipient, m.subject, m.body_text, m.body_html, m.unsubscribe_url, p.place
    )
    select t.id, t.recipient, t.subject, t.body_text, t.body_html, t.unsubscribe_url
    from taken t order by t.place;
end $$;
revoke all on function take_due_mails(integer) from public;

create or replace function mark_mail_sent(mail uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set sent_at = now(), last_error = null, body_text = '', body_html = '',
    unsubscribe_url = null
  where id = mail
$$;

create or replace function mark_mail_failed(mail uuid, error text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set last_error = error,
    next_try_at = now() + least(interval '1 hour', interval '1 minute' * power(2, attempts - 1)),
    body_text = case when attempts < 12 then body_text else '' end,
    body_html = case when attempts < 12 then body_html else '' end,
    unsubscribe_url = case when attempts < 12 then unsubscribe_url end
  where id = mail
$$;
