-- Work that organizations cause is done in their turns.

-- A call whose action items could not be generated is tried again later and later, a few times.
create table action_item_failures (
  call_id uuid primary key,
  org_id uuid not null,
  tries integer not null,
  next_try_at timestamptz not null,
  constraint action_item_failures_tries check (tries > 0),
  constraint action_item_failures_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade
);
alter table action_item_failures enable row level security;
alter table action_item_failures force row level security;
create policy tenant on action_item_failures
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on action_item_failures to current_user using (true);

-- Calls that ended between the two times with longer notes than this and have no list yet, of all
-- organizations in turn: many of one keep none of the others out.
create or replace function calls_without_action_items(
  since timestamptz, until timestamptz, longer_than integer)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select c.org_id, c.id, f.tries,
      row_number() over (
        partition by c.org_id order by f.tries nulls first, c.ended_at, c.id
      ) as turn
    from calls c left join action_item_failures f on f.call_id = c.id
    where c.ended_at between since and until and length(c.notes_snapshot) > longer_than
      and (f.call_id is null or (f.tries < 5 and f.next_try_at <= now()))
      and not exists (select 1 from action_item_lists l where l.call_id = c.id)
  )
  select d.org_id, d.id from due d order by d.turn, d.tries nulls first, d.id limit 100
$$;

-- In which organization's transaction the mail was stored; null outside of all. Security mail belongs to
-- the person, so that this is no reference: it stays as it is when the organization goes.
alter table mails add column caused_by uuid;
alter table mails
  alter column caused_by set default nullif(current_setting('app.tenant', true), '')::uuid;

-- As before, with two differences. Security mail, too, is taken by the organizations that cause it in
-- turn: one that moves addresses to and fro delays the others by a batch at most. A mail that a
-- transaction holds, as an erasure does, is left for later.
create or replace function take_due_mails(most integer)
returns table (id uuid, recipient text, subject text, body_text text, body_html text)
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
      update mails m set attempts = m.attempts + 1,
        next_try_at = now() + least(interval '1 hour', interval '1 minute' * power(2, m.attempts))
      from placed p where p.id = m.id
      returning m.id, m.recipient, m.subject, m.body_text, m.body_html, p.place
    )
    select t.id, t.recipient, t.subject, t.body_text, t.body_html from taken t order by t.place;
end $$;

-- A mail that a transaction holds is forgotten with the next run.
create or replace function forget_mails(created_before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  update mails set body_text = '', body_html = '' where id in (
    select id from mails
    where sent_at is null and attempts >= 12 and next_try_at < now() and body_text <> ''
    for no key update skip locked);
  delete from mails where id in (
    select id from mails where created_at < created_before for update skip locked);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
