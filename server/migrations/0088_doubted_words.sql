-- Words of deleted and corrected texts leave the list of words soon after the transaction, by a job. Whether another
-- text has a word is asked of an index that reads all texts with it, so many words of many texts take seconds. A
-- correction of a typing error is offered only if a text has it (server/search/correct-words.ts).

drop trigger search_doubts_decide on search_doubts;
drop function search_forget_words();
drop function search_unused_words(uuid, text[]);
create index search_doubts_in_order on search_doubts (org_id, id);

-- A thousand words in a row, so that the job takes as much at a time as it can do.
create function search_note_doubts(org uuid, doubted text[]) returns void
language sql set search_path = public, pg_temp as $$
  insert into search_doubts (org_id, words)
  select org, array_agg(word) from unnest(doubted) with ordinality as listed (word, place)
  where exists (select from organizations o where o.id = org)
  group by (place - 1) / 1000
$$;
revoke all on function search_note_doubts(uuid, text[]) from public;

create or replace function search_doubt_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform search_note_doubts(d.org_id, d.words) from (
    select g.org_id, array_agg(distinct word) as words from gone g, unnest(tsvector_to_array(g.words)) word
    where search_is_word(word) group by g.org_id
  ) d;
  return null;
end $$;

-- What is corrected or moved keeps most words.
create function search_doubt_changed_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform search_note_doubts(d.org_id, d.words) from (
    select l.org_id, array_agg(l.word) as words from (
      select g.org_id, word from gone g, unnest(tsvector_to_array(g.words)) word
      except select k.org_id, word from kept k, unnest(tsvector_to_array(k.words)) word
    ) l
    where search_is_word(l.word) group by l.org_id
  ) d;
  return null;
end $$;
drop trigger search_texts_doubt_changed_words on search_texts;
create trigger search_texts_doubt_changed_words after update on search_texts
  referencing old table as gone new table as kept for each statement execute function search_doubt_changed_words();

-- A text that has the word. Without other scans, PostgreSQL looks the word up in the index of words, whatever its
-- statistics say.
create function search_text_with(org uuid, word text) returns text[]
language plpgsql stable set search_path = public, pg_temp
set enable_indexscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  sought tsquery := ('''' || word || '''')::tsquery;
  found_words tsvector;
begin
  select t.words into found_words from search_texts t where t.org_id = org and t.words @@ sought limit 1;
  return tsvector_to_array(found_words);
end $$;
revoke all on function search_text_with(uuid, text) from public;

-- Forgets doubted words of an organization that no text has, for up to so many milliseconds, and notes again what it
-- has not come to. @returns whether there may be more
create function search_forget_words(org uuid, most_ms integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ends_at timestamptz := clock_timestamp() + make_interval(secs => most_ms / 1000.0);
  doubted text[];
  part text[];
  undecided text[] := '{}';
  unused text[] := '{}';
  sought text;
  words_of_text text[];
  newest integer := 0;
  read integer := 0;
  text_words integer;
  looked integer := 0;
begin
  -- Two at a time would do the same.
  if not pg_try_advisory_xact_lock(hashtextextended('search words ' || org, 0)) then
    return false;
  end if;
  with taken as (
    delete from search_doubts where id in (
      select id from search_doubts where org_id = org order by id limit 20)
    returning words
  )
  select array_agg(distinct word) into doubted from taken, unnest(words) word
  where exists (select from search_words w where w.org_id = org and w.word = word);

  -- Most common words are in the newest texts, which spares looking them up among all. Long texts count for many.
  for text_words in
    select length(words) from search_texts where org_id = org order by call_id desc limit 5000
  loop
    newest := newest + 1;
    read := read + text_words;
    exit when read > 100000;
  end loop;
  doubted := array(
    select unnest(doubted) except
    select unnest(tsvector_to_array(words)) from (
      select words from search_texts where org_id = org order by call_id desc limit newest
    ) newest_texts
  );

  for at in 1 .. cardinality(doubted) by 500 loop
    part := doubted[at : at + 499];
    foreach sought in array part loop
      -- At least one is looked up, so that each run comes further.
      exit when looked > 0 and clock_timestamp() > ends_at;
      continue when not sought = any (part);
      looked := looked + 1;
      words_of_text := search_text_with(org, sought);
      if words_of_text is null then
        unused := unused || sought;
        part := array_remove(part, sought);
      else
        -- The text answers for all its words.
        part := array(select unnest(part) except select unnest(words_of_text));
      end if;
    end loop;
    undecided := undecided || part;
  end loop;
  delete from search_words where org_id = org and word = any (unused);
  perform search_note_doubts(org, undecided);
  return exists (select from search_doubts where org_id = org);
end $$;
revoke all on function search_forget_words(uuid, integer) from public;

-- Organizations that have doubted words.
create function search_organizations_in_doubt() returns table (org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id from organizations o
  where exists (select from search_doubts d where d.org_id = o.id) order by random() limit 1000
$$;
revoke all on function search_organizations_in_doubt() from public;
