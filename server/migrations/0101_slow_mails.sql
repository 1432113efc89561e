-- Mails that a server accepts slowly do not hold up those of other recipients and organizations: the sender names what
-- it waits for (`busy`), and what it takes one mail of at a time (`slow`). A payer is the organization, or the one that caused a mail about an account. Of security mails that no
-- organization causes, such as of registrations, the domains of their recipients take turns.

drop function take_due_mails(integer);
create function take_due_mails(most integer, busy text[], slow text[])
returns table (
  id uuid, recipient text, subject text, body_text text, body_html text, unsubscribe_url text,
  domain text, payer text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  -- One process after the other: both would choose the same mails.
  perform pg_advisory_xact_lock(7203002);
  return query
    with waiting as (
      select m.id, m.kind <> 'security' as later, m.next_try_at,
        -- Without subdomains, of which one owner has as many as they like.
        substring(lower(m.recipient)
          from '[^.@]+\.(?:(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[a-z]{2}|[^.@]+)$') as domain,
        coalesce(m.org_id, m.caused_by)::text as payer
      from mails m
      where m.sent_at is null and m.attempts < 12 and m.next_try_at <= clock_timestamp()
    ), due as (
      select w.*, row_number() over (
        partition by w.later, coalesce(w.payer, w.domain) order by w.next_try_at, w.id) as turn,
        row_number() over (partition by w.payer order by w.later, w.next_try_at, w.id) as of_payer,
        row_number() over (partition by w.domain order by w.later, w.next_try_at, w.id) as of_domain
      from waiting w
    ), chosen as (
      select d.id, d.later, d.turn, d.next_try_at, d.domain, d.payer
      from due d join mails m on m.id = d.id
      where m.sent_at is null and m.attempts < 12
        and not coalesce(d.domain = any (busy), false) and not coalesce(d.payer = any (busy), false)
        and (d.of_domain = 1 or not coalesce(d.domain = any (slow), false))
        and (d.of_payer = 1 or not coalesce(d.payer = any (slow), false))
      order by d.later, d.turn, d.next_try_at, d.id limit most
      for no key update of m skip locked
    ), placed as (
      select c.*, row_number() over (order by c.later, c.turn, c.next_try_at, c.id) as place
      from chosen c
    ), taken as (
      update mails m set attempts = m.attempts + 1, next_try_at = now() + interval '6 minutes'
      from placed p where p.id = m.id
      returning m.id, m.recipient, m.subject, m.body_text, m.body_html, m.unsubscribe_url,
        p.domain, p.payer, p.place
    )
    select t.id, t.recipient, t.subject, t.body_text, t.body_html, t.unsubscribe_url, t.domain, t.payer
    from taken t order by t.place;
end $$;
revoke all on function take_due_mails(integer, text[], text[]) from public;
