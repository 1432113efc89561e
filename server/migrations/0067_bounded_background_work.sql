-- Background work of one organization does not delay that of others: webhooks, the index of notes, and transcripts
-- that are compared with recordings.

-- Claims deliveries that are due: the first of each call or other thing, at most `per_endpoint` at a time of an
-- endpoint, by all processes. Organizations with the fewest in progress come first. A look passes over 200 rows of an
-- endpoint at most, and puts off those that wait for an earlier one: its end makes the next one due (note-attempt.ts).
create or replace function take_due_webhooks(most integer, per_endpoint integer, seconds integer)
returns table (id uuid, org_id uuid, endpoint_id uuid, event_id uuid, attempts integer, first_try_at timestamptz,
  kind text, url text, secret_sealed text, previous_secret_sealed text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  present timestamptz;
begin
  -- One process after the other: together they would send an endpoint more than it may get.
  perform pg_advisory_xact_lock(7203062);
  -- A variable, because no index is searched for the value of a volatile function.
  present := clock_timestamp();
  return query
    with busy as (
      select d.org_id, d.endpoint_id, count(*)::int as deliveries from webhook_deliveries d
      where d.sending_until > present group by d.org_id, d.endpoint_id
    ), looked as materialized (
      select d.id, e.org_id, e.id as endpoint_id, d.next_try_at, d.place, d.is_first, d.first_try,
        row_number() over (partition by e.id, d.is_first order by d.next_try_at, d.place)
          + coalesce(b.deliveries, 0) as of_endpoint
      from webhook_endpoints e
      left join busy b on b.endpoint_id = e.id
      cross join lateral (
        select w.id, w.next_try_at, w.place, w.place = earliest.place as is_first,
          earliest.next_try_at as first_try
        from (
          select v.id, v.order_key, v.next_try_at, v.place from webhook_deliveries v
          where v.endpoint_id = e.id and v.state = 'waiting' and v.next_try_at <= present
          order by v.next_try_at, v.place limit 200
        ) w
        cross join lateral (
          select f.place, f.next_try_at from webhook_deliveries f
          where f.endpoint_id = e.id and f.order_key = w.order_key and f.state = 'waiting'
          order by f.place limit 1
        ) earliest
      ) d
      where e.disabled_at is null and (e.paused_until is null or e.paused_until <= present)
        and coalesce(b.deliveries, 0) < per_endpoint
    ), blocked as (
      -- The end of the earlier one may have made it due meanwhile.
      select w.id, l.first_try from looked l join webhook_deliveries w on w.id = l.id
      where not l.is_first and w.state = 'waiting' and w.next_try_at = l.next_try_at
      for no key update of w skip locked
    ), put_off as (
      update webhook_deliveries w set next_try_at = greatest(b.first_try, present + interval '10 minutes')
      from blocked b where b.id = w.id
    ), placed as (
      select l.id, row_number() over (partition by l.org_id order by l.next_try_at, l.place)
        + coalesce((select sum(b.deliveries) from busy b where b.org_id = l.org_id), 0) as turn,
        l.next_try_at, l.place
      from looked l where l.is_first and l.of_endpoint <= per_endpoint
    ), chosen as (
      select w.id from placed p join webhook_deliveries w on w.id = p.id
      where w.state = 'waiting'
      order by p.turn, p.next_try_at, p.place limit most
      for no key update of w skip locked
    ), taken as (
      update webhook_deliveries w set attempts = w.attempts + 1,
        first_try_at = coalesce(w.first_try_at, present),
        sending_until = present + make_interval(secs => seconds),
        next_try_at = present + make_interval(secs => seconds)
      from chosen c where c.id = w.id
      returning w.id, w.org_id, w.endpoint_id, w.event_id, w.attempts, w.first_try_at
    )
    select t.id, t.org_id, t.endpoint_id, t.event_id, t.attempts, t.first_try_at, e.kind, e.url, e.secret_sealed,
      case when e.previous_secret_expires_at > present then e.previous_secret_sealed end
    from taken t join webhook_endpoints e on e.id = t.endpoint_id;
end $$;

-- A call whose notes cannot be indexed now is tried again later.
alter table search_pending add column next_try_at timestamptz not null default now();
create index search_pending_of_org_in_order on search_pending (org_id, is_whole, call_id desc);
drop index search_pending_of_org;

-- Calls to index, in turns of the organizations.
create function search_calls_to_index(of_organization integer, in_all integer)
returns table (org_id uuid, call_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, p.call_id
  from organizations o cross join lateral (
    select d.call_id, row_number() over () as turn from (
      select w.call_id from search_pending w
      where w.org_id = o.id and w.next_try_at <= now()
      order by w.is_whole, w.call_id desc limit of_organization
    ) d
  ) p
  order by p.turn, o.id limit in_all
$$;
revoke all on function search_calls_to_index(integer, integer) from public;

-- A text in parts of 4,000 characters. A long rest is read whole each time, so it is parted in two steps.
create function search_parts(source text) returns setof text
language plpgsql immutable as $$
declare
  piece text;
begin
  while source <> '' loop
    piece := left(source, 40000);
    source := substr(source, 40001);
    while piece <> '' loop
      return next left(piece, 4000);
      piece := substr(piece, 4001);
    end loop;
  end loop;
end $$;

-- One row for each line of the notes. Of more than 2,000 lines, several share a row.
create or replace function search_index_notes(org uuid, call uuid) returns void
language sql as $$
  with lines as (
    select content, line, greatest(1, ceil(count(*) over () / 2000.0))::integer as of_row
    from calls c,
      string_to_table(replace(c.notes_snapshot, E'\r', ''), E'\n') with ordinality as split (content, line)
    where c.org_id = org and c.id = call and c.ended_at is not null
  ), rows as (
    select string_agg(content, E'\n' order by line) as content, min(line) as line
    from lines group by (line - 1) / of_row
  )
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, part, text, words)
  select org, call, 2147483647, 'note', call, least(line * 300 + piece - 1, 2147483647)::integer, found.text,
    search_vector(found.text)
  from rows, search_parts(rows.content) with ordinality as found (text, piece)
  where found.text ~ '\S'
  on conflict do nothing
$$;

drop function search_index_pending(integer);
-- Indexes what waits of a call. @returns whether it did; a call that is locked waits for the next run
create function search_index_call(org uuid, call uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  whole boolean;
begin
  -- The call is locked first, as by those who change its notes. Nothing changes them while they are indexed, and the
  -- call is not deleted meanwhile.
  perform from calls where org_id = org and id = call for no key update skip locked;
  if not found then
    delete from search_pending p where p.call_id = call and p.org_id = org
      and not exists (select from calls c where c.org_id = org and c.id = call);
    return false;
  end if;
  delete from search_pending where org_id = org and call_id = call returning is_whole into whole;
  if whole is null then
    return false;
  end if;
  delete from search_texts where org_id = org and call_id = call and kind = 'note';
  perform search_index_notes(org, call);
  if whole then
    insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
    select org_id, call_id, start_ms, 'line', id, search_vector(text) || search_speaker(name)
    from transcript_lines where org_id = org and call_id = call for key share
    on conflict do nothing;
    insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
    select m.org_id, m.call_id, search_chat_ms(m.sent_at, c.started_at), 'chat', m.id,
      search_vector(m.text) || search_speaker(m.name)
    from chat_messages m join calls c on c.id = m.call_id
    where m.org_id = org and m.call_id = call for key share of m
    on conflict do nothing;
    insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
    select org_id, call_id, coalesce(cited_start_ms, 2147483647), 'action', id,
      search_vector(title || ' ' || description)
    from action_items where org_id = org and call_id = call for key share
    on conflict do nothing;
    perform search_index_insights(org_id, call_id, insights)
      from call_insights where org_id = org and call_id = call for key share;
  end if;
  return true;
end $$;
revoke all on function search_index_call(uuid, uuid) from public;

-- In some locales, PostgreSQL takes this space of Ogham for the end of a word, and then refuses what follows it.
alter function search_vector(text) rename to search_vector_of_words;
create function search_vector(source text) returns tsvector
language sql immutable parallel safe as $$
  select search_vector_of_words(translate(source, U&'\1680', ' '))
$$;

-- A word that a typing error can be corrected to. Each is stored as often as it has letters.
create or replace function search_is_word(word text) returns boolean
language sql immutable parallel safe as $$
  select length(word) between 4 and 24
    and word !~ '[0-9@\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3021-\u302f\u3031-\u312f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]'
$$;
delete from search_words where length(word) > 24;

-- At most 1,000 new words of a statement, and 100,000 of an organization: more than people say.
create or replace function search_list_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with found as materialized (
    select distinct n.org_id, said.word from added n, unnest(tsvector_to_array(n.words)) said (word)
    where search_is_word(said.word)
      and not exists (select from search_words s where s.org_id = n.org_id and s.word = said.word)
    order by n.org_id, said.word limit 1000
  ), roomy as materialized (
    select o.org_id from (select distinct org_id from found) o
    where not exists (select from search_words s where s.org_id = o.org_id offset 99999)
  )
  insert into search_words (org_id, word, variants)
  select org_id, word,
    array(select word union select left(word, i - 1) || substr(word, i + 1) from generate_series(1, length(word)) i)
  from found join roomy using (org_id)
  on conflict do nothing;
  return null;
end $$;

-- Deleting transactions take turns here, and only at their end, when they wait for no other lock any more. Otherwise
-- two that delete the last two texts with a word would each leave the word for the other's text.
create or replace function search_forget_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  doubted text[];
  newest integer := 0;
  read integer := 0;
  text_words integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('search words ' || new.org_id, 0));
  -- Most common words are in the newest texts, which spares looking them up among all. Long texts count for many.
  for text_words in
    select length(words) from search_texts where org_id = new.org_id order by call_id desc limit 5000
  loop
    newest := newest + 1;
    read := read + text_words;
    exit when read > 100000;
  end loop;
  doubted := array(
    select unnest(new.words) except
    select unnest(tsvector_to_array(words)) from (
      select words from search_texts where org_id = new.org_id order by call_id desc limit newest
    ) newest_texts
  );
  delete from search_words w using search_unused_words(new.org_id, doubted) unused (word)
  where w.org_id = new.org_id and w.word = unused.word;
  delete from search_doubts where id = new.id;
  return null;
end $$;

-- Files whose transcripts are to be compared with them, in turns of the organizations.
drop function media_to_align(integer);
create function media_to_align(of_organization integer, in_all integer)
returns table (org_id uuid, media_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with due as (
    select m.org_id, m.id, row_number() over (partition by m.org_id order by m.align_next_at, m.id) as turn
    from recorded_media m
    join recorded_tracks t on t.org_id = m.org_id and t.id = m.track_id and t.source = 'camera'
    join calls c on c.org_id = t.org_id and c.id = t.call_id
    where c.ended_at between now() - interval '7 days' and now() - interval '10 seconds'
      and m.state = 'ready' and m.aligned_at is null
      and m.align_next_at <= now() and m.align_attempts < 6
      and exists (select from captures x where x.org_id = c.org_id and x.call_id = c.id and x.kind = 'transcript')
      and exists (select from consents a where a.org_id = t.org_id and a.participant_id = t.participant_id
        and 'transcript' = any (a.agreed))
  )
  select d.org_id, d.id from due d where d.turn <= of_organization order by d.turn, d.id limit in_all
$$;
revoke all on function media_to_align(integer, integer) from public;
-- What was recognized of a file after the call, in milliseconds: its person has a limit.
alter table recorded_media add column filled_ms integer not null default 0;
