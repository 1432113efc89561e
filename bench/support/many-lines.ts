import { globSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { dice } from '#server/seed/random.ts';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');
const endings = ['n', 'r', 's', 't', 'l', 'm', ''];
const vocabulary = 10_000;
const linesAtOnce = 50_000;

/** Returns the words of the lines, the most frequent first: those of this project's own pages, and invented ones. */
export function wordsOfLines(): string[] {
  const counts = new Map<string, number>();
  for (const page of globSync(['*.md', 'docs/**/*.md', 'web/texts/en/*.json'])) {
    for (const [word] of readFileSync(page, 'utf8')
      .toLowerCase()
      .matchAll(/\b[a-z]{2,20}\b/g)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const written = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const words = new Set(written.map(([word]) => word));
  const { between, pick } = dice(58);
  while (words.size < vocabulary) {
    const parts = Array.from({ length: between(2, 4) }, () => pick(syllables));
    words.add(parts.join('') + pick(endings));
  }
  return [...words].slice(0, vocabulary);
}

/** One of these is in 1 to 60 lines. */
export const rareWord = (at: number): string =>
  `quo${syllables[at % 20]}${syllables[Math.floor(at / 20) % 10]}qua`;

/** Stores lines of transcripts in an organization's calls, of 12 words on average, through the triggers. */
export async function makeManyLines(
  client: pg.Client,
  orgId: string,
  lines: number,
  words: readonly string[],
): Promise<void> {
  await client.query('create temporary table invented (at integer primary key, word text)');
  await client.query(
    'insert into invented select at, word from unnest($1::text[]) with ordinality as words (word, at)',
    [words],
  );
  await client.query(
    'create temporary table of_calls as select row_number() over (order by id) as at, id from calls where org_id = $1',
    [orgId],
  );
  for (let from = 1; from <= lines; from += linesAtOnce) {
    await client.query(insertLines, [orgId, from, Math.min(from + linesAtOnce - 1, lines), lines]);
  }
  await client.query('drop table invented');
  await client.query('drop table of_calls');
}

const insertLines = `with made as (
    select n, 6 + floor(random() * 13)::integer as length,
      1 + (n::bigint - 1) * (select count(*) from of_calls) / $4::integer as call
    from generate_series($2::integer, $3::integer) n
  ), spoken as materialized (
    select n, call, (
      select string_agg(w.word, ' ')
      from (select floor(power(${vocabulary}::float8, random() + 0 * n))::integer as at from generate_series(1, made.length)) chosen
      join invented w on w.at = chosen.at
    ) as text
    from made
  )
  insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms, end_ms,
    language, text, recognizer)
  select gen_random_uuid(), $1, c.id, c.id, 'guest', case n % 2 when 0 then 'Ada Lovelace' else 'Guest ' || n % 50 end,
    (n % 1000) * 4000, (n % 1000) * 4000 + 3000, 'en', coalesce(s.text, 'yes')
      || case when n % 400 = 0 then ' quo' || (array['${syllables.join("','")}'])[1 + n / 400 % 20]
        || (array['${syllables.join("','")}'])[1 + (power(random(), 3) * 9)::integer] || 'qua' else '' end, 'bench'
  from spoken s join of_calls c on c.at = s.call`;
