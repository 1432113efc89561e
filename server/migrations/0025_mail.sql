-- Whose mail it is, so that an organization reaches its own alone; what goes first; how many.

alter table mails
  -- Null for mail about an account or the installation.
  add column org_id uuid references organizations (id) on delete cascade,
  -- The account that it is about: its mail goes with it.
  add column account_id uuid references accounts (id) on delete cascade,
  add column kind text;

-- What is still unsent may be a password reset: it goes first.
update mails set kind = case when sent_at is null then 'security' else 'notice' end;
alter table mails
  alter column kind set not null,
  add constraint mails_kind check (kind in ('security', 'invitation', 'notice')),
  -- Security mail belongs to the person: no organization may delete it.
  add constraint mails_security_is_personal check (kind <> 'security' or org_id is null);

-- Links work until they are used: what was sent is kept without them, and not for ever.
delete from mails where created_at < now() - interval '30 days';
update mails set body_text = '', body_html = '' where sent_at is not null or attempts >= 12;

drop index mails_unsent;
create index mails_due on mails (next_try_at) where sent_at is null and attempts < 12;
create index mails_of_organization on mails (org_id, created_at) where org_id is not null;
create index mails_of_account on mails (account_id) where account_id is not null;
create index mails_by_age on mails (created_at);

alter table mails enable row level security;
alter table mails force row level security;
-- An organization reads and deletes its own.
create policy reading on mails for select
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy deletion on mails for delete
  using (org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy queueing on mails for insert
  with check (org_id is null or org_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy owner on mails to current_user using (true);

-- Takes mails for the next minutes, so that two processes do not send the same one; a failed try waits
-- longer each time. Security mail first; then each organization (or recipient, for mail of none) in
-- turn, so that a long queue of one delays the others by a batch at most.
create function take_due_mails(most integer)
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
          partition by m.kind = 'security', coalesce(m.org_id::text, m.recipient)
          order by m.next_try_at, m.id
        ) as turn
      from mails m
      where m.sent_at is null and m.attempts < 12 and m.next_try_at <= clock_timestamp()
    ), chosen as (
      select d.id, row_number() over (order by d.later, d.turn, d.next_try_at, d.id) as place
      from due d order by d.later, d.turn, d.next_try_at, d.id limit most
    ), taken as (
      update mails m set attempts = m.attempts + 1,
        next_try_at = now() + least(interval '1 hour', interval '1 minute' * power(2, m.attempts))
      from chosen c where c.id = m.id
      returning m.id, m.recipient, m.subject, m.body_text, m.body_html, c.place
    )
    select t.id, t.recipient, t.subject, t.body_text, t.body_html from taken t order by t.place;
end $$;

-- What was sent keeps no link that still works.
create function mark_mail_sent(mail uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set sent_at = now(), last_error = null, body_text = '', body_html = '' where id = mail
$$;

-- The last failed try gives the mail up.
create function mark_mail_failed(mail uuid, error text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mails set last_error = error,
    body_text = case when attempts < 12 then body_text else '' end,
    body_html = case when attempts < 12 then body_html else '' end
  where id = mail
$$;

-- A process that ended during the last try leaves a mail that is neither sent nor given up.
create function forget_mails(created_before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  forgotten integer;
begin
  update mails set body_text = '', body_html = ''
    where sent_at is null and attempts >= 12 and next_try_at < now() and body_text <> '';
  delete from mails where created_at < created_before;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- The mails about an account, for its owner. Before its address is verified, they may be another
-- person's.
create function mails_of_account(account uuid)
returns table (subject text, created_at timestamptz, sent_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.subject, m.created_at, m.sent_at
  from mails m join accounts a on a.email = m.recipient and a.email_verified_at is not null
  where a.id = account and m.org_id is null and m.created_at >= a.created_at order by m.id
$$;
revoke all on function mails_of_account(uuid) from public;

-- How many mails somebody has caused, and somebody was sent. The keys are hashes. Erasing people or
-- mails leaves the counts.
create table mail_counts (
  key bytea primary key,
  count integer not null,
  ends_at timestamptz not null,
  constraint mail_counts_count check (count >= 0)
);
create index mail_counts_by_end on mail_counts (ends_at);

-- Counts a mail against every limit, or against none.
-- Returns 0, or after how many seconds the limits that are reached allow another.
create function count_mail(keys bytea[], mosts integer[], seconds integer[]) returns integer
language plpgsql set search_path = public, pg_temp as $$
declare
  wait integer;
begin
  insert into mail_counts (key, count, ends_at)
    select k.key, 0, clock_timestamp() from unnest(keys) k (key) order by k.key
    on conflict (key) do nothing;
  perform 1 from mail_counts c where c.key = any (keys) order by c.key for update;
  select ceil(max(extract(epoch from c.ends_at - clock_timestamp())))::integer into wait
    from unnest(keys, mosts) given (key, most) join mail_counts c on c.key = given.key
    where c.ends_at > clock_timestamp() and c.count >= given.most;
  if wait is not null then return greatest(1, wait); end if;
  update mail_counts c set
    count = case when c.ends_at > clock_timestamp() then c.count + 1 else 1 end,
    ends_at = case when c.ends_at > clock_timestamp() then c.ends_at
      else clock_timestamp() + given.seconds * interval '1 second' end
    from unnest(keys, seconds) given (key, seconds) where c.key = given.key;
  return 0;
end $$;

-- When a code was last shown in the session, beside signing in: what weakens the second factor asks for
-- one anew.
alter table sessions add column factor_shown_at timestamptz;

-- By which link the guest came: what a named link causes is counted apart.
alter table lobby_entries add column if not exists guest_link_id uuid;

revoke all on function take_due_mails(integer) from public;
revoke all on function mark_mail_sent(uuid) from public;
revoke all on function mark_mail_failed(uuid, text) from public;
revoke all on function forget_mails(timestamptz) from public;
revoke all on function count_mail(bytea[], integer[], integer[]) from public;
