-- Search over calls: what was said, written, and generated, one row for each text that a search finds. Rows follow
-- their sources by triggers, so that no text is found after it was deleted, however that happened.

-- Calls whose notes, or all of whose texts, are still to be indexed, by a job, which also removes those of calls that
-- are gone. It is filled before anything locks the calls.
create table search_pending (
  org_id uuid not null references organizations (id) on delete cascade,
  call_id uuid primary key,
  -- Whether it is from before this migration.
  is_whole boolean not null default false
);
insert into search_pending (org_id, call_id, is_whole) select org_id, id, true from calls;
create index search_pending_in_order on search_pending (is_whole, call_id desc);
create index search_pending_of_org on search_pending (org_id);

-- The collation that lowers letters of any alphabet, whatever the database's is.
do $$
declare lowering text := (
  select format('%I.%I', n.nspname, c.collname) from pg_collation c join pg_namespace n on n.oid = c.collnamespace
  where n.nspname = 'pg_catalog' and c.collname in ('pg_c_utf8', 'und-x-icu')
  order by c.collname limit 1);
begin
  -- Letters without case and marks, and single spaces for everything that is neither letter nor digit.
  -- domain/search/words.ts does the same.
  execute format($function$
    create function search_folded(source text) returns text
    language sql immutable parallel safe as $body$
      select regexp_replace(
        translate(replace(replace(replace(
          lower(case when octet_length(source) = length(source) then source
            else normalize(regexp_replace(normalize(source, NFKD),
              '[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]+',
              '', 'g'), NFKC)
            end %s),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđςı', 'oldσi'),
        '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589-\u058a\u05f3-\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964-\u0965\u0e3f\u0e4f\u0e5a-\u0e5b\u1360-\u1368\u17d4-\u17db\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ue000-\uf8ff\ufe10-\ufe6f\U0001f000-\U0001faff]+',
        ' ', 'g')
    $body$ $function$, coalesce('collate ' || lowering, ''));
end $$;

-- Each word with its place. Writing that has no spaces between words is indexed by pairs of its characters.
create function search_vector(source text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  folded text := search_folded(source);
  unspaced constant text :=
    '[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3021-\u302f\u3031-\u312f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]';
  vector text := '';
  place integer := 0;
  piece text;
begin
  if folded !~ unspaced then
    return coalesce((
      select string_agg(left(word, 60) || ':' || least(at, 16383), ' ')
      from string_to_table(trim(folded), ' ') with ordinality as words (word, at) where word <> ''
    ), '')::tsvector;
  end if;
  for piece in
    select p from string_to_table(regexp_replace(folded, '(' || unspaced || '+)', ' \1 ', 'g'), ' ') p where p <> ''
  loop
    if piece ~ unspaced then
      for i in 1 .. length(piece) loop
        vector := vector || ' ' || substr(piece, i, 2) || ':' || least(place + i, 16383);
      end loop;
      place := place + length(piece);
    else
      place := place + 1;
      vector := vector || ' ' || left(piece, 60) || ':' || least(place, 16383);
    end if;
  end loop;
  return vector::tsvector;
end $$;

-- The words of a speaker's name, marked so that only a search for a speaker finds them.
create function search_speaker(name text) returns tsvector
language sql immutable parallel safe as $$
  select coalesce(string_agg('@' || left(word, 60), ' '), '')::tsvector
  from string_to_table(search_folded(name), ' ') word where word <> ''
$$;

create table search_texts (
  org_id uuid not null,
  call_id uuid not null,
  -- Milliseconds after the call's start; what has no time is last.
  at_ms integer not null,
  kind text not null,
  -- The line, message, or item; the call itself for its notes and its insights, whose texts are only here.
  source_id uuid not null,
  part integer not null default 0,
  text text,
  words tsvector not null,
  constraint search_texts_call foreign key (org_id, call_id)
    references calls (org_id, id) on delete cascade,
  constraint search_texts_kind check (kind in ('line', 'chat', 'note', 'action', 'insight')),
  constraint search_texts_own check ((text is null) = (kind in ('line', 'chat', 'action')))
);
create unique index search_texts_in_order on search_texts (org_id, call_id desc, at_ms, kind, source_id, part);
create index search_texts_words on search_texts using gin (org_id, words);

-- The words that an organization's texts contain, for corrections of typing errors.
create table search_words (
  org_id uuid not null references organizations (id) on delete cascade,
  word text not null,
  -- The word, and it without each of its letters: words that are one error apart have one in common.
  variants text[] not null,
  primary key (org_id, word)
);
create index search_words_variants on search_words using gin (org_id, variants);

-- Words of deleted texts. The transaction that deletes them decides at its end which words no other text has, so the
-- table is empty outside of transactions.
create table search_doubts (
  id bigint generated always as identity primary key,
  org_id uuid not null references organizations (id) on delete cascade,
  words text[] not null
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['search_texts', 'search_words', 'search_doubts', 'search_pending'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (org_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)',
      tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end $$;

-- A word that a typing error can be corrected to.
create function search_is_word(word text) returns boolean
language sql immutable parallel safe as $$
  select length(word) between 4 and 40
    and word !~ '[0-9@\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3021-\u302f\u3031-\u312f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]'
$$;

create function search_list_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into search_words (org_id, word, variants)
  select org_id, word,
    array(select word union select left(word, i - 1) || substr(word, i + 1) from generate_series(1, length(word)) i)
  from (
    select distinct n.org_id, word from added n, unnest(tsvector_to_array(n.words)) word
    where search_is_word(word)
  ) found
  where not exists (select from search_words s where s.org_id = found.org_id and s.word = found.word)
  order by org_id, word
  on conflict do nothing;
  return null;
end $$;
create trigger search_texts_list_words after insert on search_texts
  referencing new table as added for each statement execute function search_list_words();
create trigger search_texts_list_changed_words after update on search_texts
  referencing new table as added for each statement execute function search_list_words();

create function search_doubt_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into search_doubts (org_id, words)
  select g.org_id, array_agg(distinct word) from gone g, unnest(tsvector_to_array(g.words)) word
  where search_is_word(word) and exists (select from organizations o where o.id = g.org_id)
  group by g.org_id;
  return null;
end $$;
create trigger search_texts_doubt_words after delete on search_texts
  referencing old table as gone for each statement execute function search_doubt_words();
create trigger search_texts_doubt_changed_words after update on search_texts
  referencing old table as gone for each statement execute function search_doubt_words();

-- Those of the words that no text has. Without index scans, PostgreSQL looks each word up in the index of words, and
-- never through an organization's texts.
create function search_unused_words(org uuid, doubted text[]) returns setof text
language sql stable set search_path = public, pg_temp
set enable_indexscan = off set enable_seqscan = off as $$
  select w.word from search_words w
  where w.org_id = org and w.word = any (doubted)
    and not exists (
      select from search_texts t where t.org_id = org and t.words @@ ('''' || w.word || '''')::tsquery)
$$;
revoke all on function search_unused_words(uuid, text[]) from public;

-- Deleting transactions take turns here, and only at their end, when they wait for no other lock any more. Otherwise
-- two that delete the last two texts with a word would each leave the word for the other's text.
create function search_forget_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  doubted text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('search words ' || new.org_id, 0));
  -- Most common words are in the newest texts, which spares looking them up among all.
  doubted := array(
    select unnest(new.words) except
    select unnest(tsvector_to_array(words)) from (
      select words from search_texts where org_id = new.org_id order by call_id desc limit 5000
    ) newest
  );
  delete from search_words w using search_unused_words(new.org_id, doubted) unused (word)
  where w.org_id = new.org_id and w.word = unused.word;
  delete from search_doubts where id = new.id;
  return null;
end $$;
create constraint trigger search_doubts_decide after insert on search_doubts
  deferrable initially deferred for each row execute function search_forget_words();

-- Lines of transcripts.
create function search_add_lines() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
  select org_id, call_id, start_ms, 'line', id, search_vector(text) || search_speaker(name) from added
  on conflict do nothing;
  return null;
end $$;
create trigger transcript_lines_search after insert on transcript_lines
  referencing new table as added for each statement execute function search_add_lines();
create function search_change_line() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update search_texts set at_ms = new.start_ms, words = search_vector(new.text) || search_speaker(new.name)
  where org_id = new.org_id and call_id = new.call_id and at_ms = old.start_ms and kind = 'line'
    and source_id = new.id;
  return null;
end $$;
create trigger transcript_lines_search_change after update of text, name, start_ms on transcript_lines
  for each row when (old.text <> new.text or old.name <> new.name or old.start_ms <> new.start_ms)
  execute function search_change_line();
create function search_remove_lines() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from search_texts s using gone g
  where s.org_id = g.org_id and s.call_id = g.call_id and s.at_ms = g.start_ms and s.kind = 'line'
    and s.source_id = g.id;
  return null;
end $$;
create trigger transcript_lines_search_end after delete on transcript_lines
  referencing old table as gone for each statement execute function search_remove_lines();

-- Messages of the chat, at the time at which they were sent.
create function search_chat_ms(sent_at timestamptz, started_at timestamptz) returns integer
language sql immutable parallel safe as $$
  select least(greatest(extract(epoch from sent_at - started_at) * 1000, 0), 2147483646)::integer
$$;
create function search_add_chat() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
  select m.org_id, m.call_id, search_chat_ms(m.sent_at, c.started_at), 'chat', m.id,
    search_vector(m.text) || search_speaker(m.name)
  from added m join calls c on c.org_id = m.org_id and c.id = m.call_id
  on conflict do nothing;
  return null;
end $$;
create trigger chat_messages_search after insert on chat_messages
  referencing new table as added for each statement execute function search_add_chat();
create function search_change_chat() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update search_texts set words = search_vector(new.text) || search_speaker(new.name)
  where org_id = new.org_id and call_id = new.call_id and kind = 'chat' and source_id = new.id;
  return null;
end $$;
create trigger chat_messages_search_change after update of text, name on chat_messages
  for each row when (old.text <> new.text or old.name <> new.name) execute function search_change_chat();

-- Action items, at the second that they cite.
create function search_keep_action() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    delete from search_texts where org_id = old.org_id and call_id = old.call_id and kind = 'action' and source_id = old.id;
  end if;
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
  values (new.org_id, new.call_id, coalesce(new.cited_start_ms, 2147483647), 'action', new.id,
    search_vector(new.title || ' ' || new.description))
  on conflict do nothing;
  return null;
end $$;
create trigger action_items_search after insert on action_items
  for each row execute function search_keep_action();
create trigger action_items_search_change after update of title, description, cited_start_ms on action_items
  for each row when (old.title <> new.title or old.description <> new.description
    or old.cited_start_ms is distinct from new.cited_start_ms)
  execute function search_keep_action();

-- One function for what ends with its source, by the source's id.
create function search_remove_texts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from search_texts s using gone g
  where s.org_id = g.org_id and s.call_id = g.call_id and s.source_id = g.id and s.kind = tg_argv[0];
  return null;
end $$;
create trigger chat_messages_search_end after delete on chat_messages
  referencing old table as gone for each statement execute function search_remove_texts('chat');
create trigger action_items_search_end after delete on action_items
  referencing old table as gone for each statement execute function search_remove_texts('action');

-- The statements of a call's insights: each once, at the second that it cites.
create function search_index_insights(org uuid, call uuid, content jsonb) returns void
language sql as $$
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, part, text, words)
  select org, call, coalesce((
      select min((cite ->> 'startMs')::integer)
      from jsonb_array_elements(statement -> 'cites') cite where cite ->> 'kind' = 'line'
    ), 2147483647), 'insight', call, at, left(statement ->> 'text', 5000), search_vector(left(statement ->> 'text', 5000))
  from (
    select statement, row_number() over () as at
    from unnest(array['summary', 'topics', 'questions']) name,
      jsonb_array_elements(case jsonb_typeof(content -> name) when 'array' then content -> name else '[]' end) statement
  ) stated
  on conflict do nothing
$$;
create function search_keep_insights() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from search_texts where org_id = old.org_id and call_id = old.call_id and kind = 'insight';
  end if;
  if tg_op <> 'DELETE' then
    perform search_index_insights(new.org_id, new.call_id, new.insights);
  end if;
  return null;
end $$;
create trigger call_insights_search after insert or delete on call_insights
  for each row execute function search_keep_insights();
create trigger call_insights_search_change after update of insights on call_insights
  for each row when (old.insights is distinct from new.insights) execute function search_keep_insights();

-- Notes are indexed by a job once the call has ended, because they change with each key until then. What was there
-- before is not found any more from the change on.
create function search_notes_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from search_texts where org_id = new.org_id and call_id = new.id and kind = 'note';
  if new.ended_at is not null and new.notes_snapshot <> '' then
    insert into search_pending (org_id, call_id) values (new.org_id, new.id) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger calls_search_notes after update of notes_snapshot, ended_at on calls
  for each row when (
    (new.ended_at is not null or old.ended_at is not null)
    and (old.notes_snapshot is distinct from new.notes_snapshot
      or (old.ended_at is null) <> (new.ended_at is null)))
  execute function search_notes_changed();
create trigger calls_search_first_notes after insert on calls
  for each row when (new.ended_at is not null and new.notes_snapshot <> '') execute function search_notes_changed();

create function search_index_notes(org uuid, call uuid) returns void
language sql as $$
  insert into search_texts (org_id, call_id, at_ms, kind, source_id, part, text, words)
  select org, call, 2147483647, 'note', call, least(line * 300 + piece, 2147483647)::integer, found.text, search_vector(found.text)
  from calls c,
    string_to_table(replace(c.notes_snapshot, E'\r', ''), E'\n') with ordinality as lines (content, line),
    lateral (
      select piece, substr(lines.content, piece * 4000 + 1, 4000) as text
      from generate_series(0, (length(lines.content) - 1) / 4000) piece
    ) found
  where c.org_id = org and c.id = call and c.ended_at is not null and found.text ~ '\S'
  on conflict do nothing
$$;

-- Indexes what waits of up to so many calls. @returns how many there were
create function search_index_pending(most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due record;
  indexed integer := 0;
begin
  for due in select * from search_pending order by is_whole, call_id desc limit most loop
    -- The call is locked first, as by those who change its notes. Nothing changes them while they are indexed, and the
    -- call is not deleted meanwhile. One that is locked waits for the next run.
    perform from calls where org_id = due.org_id and id = due.call_id for no key update skip locked;
    if not found then
      delete from search_pending p where call_id = due.call_id
        and not exists (select from calls c where c.org_id = p.org_id and c.id = p.call_id);
      continue;
    end if;
    delete from search_pending where call_id = due.call_id;
    delete from search_texts where org_id = due.org_id and call_id = due.call_id and kind = 'note';
    perform search_index_notes(due.org_id, due.call_id);
    if due.is_whole then
      insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
      select org_id, call_id, start_ms, 'line', id, search_vector(text) || search_speaker(name)
      from transcript_lines where org_id = due.org_id and call_id = due.call_id for key share
      on conflict do nothing;
      insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
      select m.org_id, m.call_id, search_chat_ms(m.sent_at, c.started_at), 'chat', m.id,
        search_vector(m.text) || search_speaker(m.name)
      from chat_messages m join calls c on c.id = m.call_id
      where m.org_id = due.org_id and m.call_id = due.call_id for key share of m
      on conflict do nothing;
      insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
      select org_id, call_id, coalesce(cited_start_ms, 2147483647), 'action', id,
        search_vector(title || ' ' || description)
      from action_items where org_id = due.org_id and call_id = due.call_id for key share
      on conflict do nothing;
      perform search_index_insights(org_id, call_id, insights)
        from call_insights where org_id = due.org_id and call_id = due.call_id for key share;
    end if;
    indexed := indexed + 1;
  end loop;
  return indexed;
end $$;
revoke all on function search_index_pending(integer) from public;

-- The texts that match, of the newest calls first, and of a call in the order in which they were said.
--
-- Row-level security would have PostgreSQL compare each text of the organization instead of using the index of words,
-- so this function restricts itself to the organization that the connection was lent for. It is planned each time,
-- because the words decide whether their index is the fastest way, or the order of calls.
--
-- Returns up to `most_found` texts. With a filter of calls, `most_looked` are looked at. `looked_until` is the call
-- where that ended, if there may be more.
create function search_hits(query tsquery, filter jsonb, most_found integer, most_looked integer)
returns table (
  call_id uuid, at_ms integer, kind text, source_id uuid, part integer, text text, looked_until uuid)
language plpgsql stable security definer rows 30 set search_path = public, pg_temp as $$
declare
  org text := quote_literal(nullif(current_setting('app.tenant', true), ''));
  -- Without a value of the filter, the text is null, and nothing is added.
  texts text := 'select call_id, at_ms, kind, source_id, part, text from search_texts'
    || ' where org_id = ' || org || ' and words @@ ' || quote_literal(query) || '::tsquery'
    || coalesce(' and call_id < ' || quote_literal(filter ->> 'before'), '')
    || coalesce(' and call_id >= ' || quote_literal(filter ->> 'sinceCall'), '')
    || coalesce(' and call_id <= ' || quote_literal(filter ->> 'untilCall'), '')
    || coalesce(' and call_id = ' || quote_literal(filter ->> 'callId'), '')
    || ' order by call_id desc, at_ms, kind, source_id, part limit ';
  chosen text := coalesce(' and c.room_id = ' || quote_literal(filter ->> 'roomId'), '')
    || coalesce(' and c.playbook_id = ' || quote_literal(filter ->> 'playbookId'), '')
    || coalesce(' and c.started_by = ' || quote_literal(filter ->> 'agentId'), '')
    || coalesce(' and c.started_at >= ' || quote_literal(filter ->> 'from') || '::timestamp at time zone ''UTC''', '')
    || coalesce(' and c.started_at < (' || quote_literal(filter ->> 'to')
      || '::date + 1)::timestamp at time zone ''UTC''', '');
  planned integer;
  returned integer := 0;
  counted text := coalesce(' and k.scores = ' || quote_literal(filter ->> 'scored'), '')
    || coalesce(' and k.score_sum between ' || quote_literal(filter ->> 'leastScore')
      || ' and ' || quote_literal(filter ->> 'mostScore'), '')
    || coalesce(' and k.averaged = ' || quote_literal(filter ->> 'averaged'), '');
begin
  if org is null then
    return;
  end if;
  if chosen = '' and counted = '' then
    -- PostgreSQL expects words evenly in all calls, and a phrase as often as its words together. Asked for more hits
    -- than are read, it does not look through all calls for what is rare, or in old ones only.
    planned := most_found * case when query::text like '%<%' then 10 else 4 end;
    for call_id, at_ms, kind, source_id, part, text in execute texts || planned loop
      return next;
      returned := returned + 1;
      exit when returned = most_found;
    end loop;
    return;
  end if;
  if counted <> '' then
    chosen := chosen || ' and exists (select from counted_calls k where k.org_id = c.org_id and k.call_id = c.id'
      || counted || ')';
  end if;
  return query execute 'with looked as materialized (' || texts || most_looked || '), ends as (
      select case when count(*) = ' || most_looked || ' then (array_agg(call_id order by call_id))[1] end as looked_until
      from looked
    )
    select found.*, ends.looked_until from ends left join lateral (
      select * from looked l where exists (
        select from calls c where c.org_id = ' || org || ' and c.id = l.call_id' || chosen || '
      ) order by call_id desc, at_ms, kind, source_id, part limit ' || most_found || '
    ) found on true';
end $$;
revoke all on function search_hits(tsquery, jsonb, integer, integer) from public;

-- Words that may be one error away from one with these variants.
create function search_similar_words(typed text[]) returns table (word text)
language plpgsql stable security definer rows 20 set search_path = public, pg_temp
set enable_indexscan = off set enable_seqscan = off as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
begin
  return query select s.word from search_words s where s.org_id = org and s.variants && typed limit 200;
end $$;
revoke all on function search_similar_words(text[]) from public;

-- The number of texts that have each word, up to a hundred.
create function search_count_texts(counted text[]) returns table (word text, texts integer)
language plpgsql stable security definer rows 5 set search_path = public, pg_temp as $$
declare
  org uuid := nullif(current_setting('app.tenant', true), '')::uuid;
begin
  foreach word in array counted loop
    execute format(
      'select count(*) from (select from search_texts where org_id = %L and words @@ %L::tsquery limit 100) few',
      org, '''' || word || '''') into texts;
    return next;
  end loop;
end $$;
revoke all on function search_count_texts(text[]) from public;

-- Superseded by search_texts.
drop index transcript_lines_words;
alter table transcript_lines drop column words;
