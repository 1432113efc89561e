import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { searchCalls } from '#domain/search/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordedCall } from '#server/testing/recorded-call.ts';
import { runningCall } from '#server/testing/visitor.ts';
import { forgetWords } from './forget-words.ts';

let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  here = await recordedCall(app);
});
afterAll(() => app.close());

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** So many words, of letters only, so that they are listed. */
const words = (stem: string, count: number) =>
  Array.from(
    { length: count },
    (_, n) => `${stem}${letters[Math.floor(n / 26) % 26]}${letters[n % 26]}q`,
  );

/** Stores chat messages as the index has them. */
const chat = (text: string, count = 1) =>
  app.owner.query(
    `insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
      select $1, $2, 0, 'chat', gen_random_uuid(), search_vector($3) from generate_series(1, $4::int)`,
    [here.org, here.call.id, text, count],
  );
const says = async (text: string) => {
  const { id } = await here.join('Bo');
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms, end_ms,
        text, recognizer)
      values (gen_random_uuid(), $1, $2, $3, 'guest', 'Bo', 0, 900, $4, 'test') returning id`,
    [here.org, here.call.id, id, text],
  );
  return rows[0]?.id ?? '';
};
const correct = (line: string, text: string) =>
  app.owner.query('update transcript_lines set text = $2 where id = $1', [line, text]);
const listed = async () => {
  const { rows } = await app.owner.query<{ word: string }>(
    'select word from search_words where org_id = $1 order by word',
    [here.org],
  );
  return rows.map(({ word }) => word);
};
const inDoubt = async () => {
  const { rows } = await app.owner.query<{ word: string }>(
    'select unnest(words) as word from search_doubts where org_id = $1 order by word',
    [here.org],
  );
  return rows.map(({ word }) => word);
};

/** How many texts the transaction has read, by an index or without one. */
async function textsRead(): Promise<number> {
  const { rows } = await app.owner.query<{ texts: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int as texts from pg_stat_xact_user_tables
      where relname = 'search_texts'`,
  );
  return rows[0]?.texts ?? 0;
}

test('R25-B1: a corrected line reads no other text, however many have its words', async () => {
  const common = words('common', 300);
  await chat(common.join(' '), 20);
  const line = await says(common.join(' '));
  // The newest texts have none of them, so that those are not enough.
  await app.owner.query(
    `insert into search_texts (org_id, call_id, at_ms, kind, source_id, words)
      select $1, $2, 0, 'chat', gen_random_uuid(), search_vector($3) from generate_series(1, 210)`,
    [here.org, (await runningCall(here.ada)).call.id, words('filler', 500).join(' ')],
  );
  await app.owner.query('begin');
  const before = await textsRead();
  await correct(line, 'nothing');
  await app.owner.query('set constraints all immediate');
  const read = (await textsRead()) - before;
  await app.owner.query('commit');
  expect(read).toBeLessThan(10);

  await forgetWords(app.services);
  expect(await listed()).toEqual(expect.arrayContaining(common));
  expect(await inDoubt()).toEqual([]);
});

test('a correction doubts only the words that the line has no more', async () => {
  const line = await says('marmalade and platypus');
  await correct(line, 'marmalade and wombat');
  expect(await inDoubt()).toEqual(['platypus']);
  await app.owner.query('update transcript_lines set start_ms = 7 where id = $1', [line]);
  expect(await inDoubt()).toEqual(['platypus']);
  await forgetWords(app.services);
  expect(await listed()).toEqual(['marmalade', 'wombat']);
});

test('words in doubt are decided a few at a time, until none is left', async () => {
  const [gone, shared] = [words('alone', 3), words('shared', 4)];
  const line = await says([...gone, ...shared].join(' '));
  for (const word of shared) await chat(word);
  await correct(line, 'nothing');
  let turns = 0;
  for (let hasMore = true; hasMore; turns += 1) {
    const { rows } = await app.owner.query<{ more: boolean }>(
      'select search_forget_words($1, 0) as more',
      [here.org],
    );
    hasMore = rows[0]?.more ?? false;
  }
  expect(turns).toBe(gone.length);
  expect(await listed()).toEqual(['nothing', ...shared].sort());
});

test('no word of a deleted text is offered while it is still listed', async () => {
  const line = await says('platypus');
  const offered = async () =>
    (await here.ada.call(searchCalls, { query: '?q=platypsu' })).corrected?.words;
  expect(await offered()).toEqual(['platypus']);
  await correct(line, 'nothing');
  expect([await listed(), await offered()]).toEqual([['nothing', 'platypus'], undefined]);
});

test('the words of one organization in doubt do not delay those of another', async () => {
  const [first, second] = [here, await recordedCall(app)];
  await app.owner.query(
    `insert into search_doubts (org_id, words) select $1::uuid, array['word' || n] from generate_series(1, 900) n`,
    [first.org],
  );
  here = second;
  await correct(await says('platypus'), 'nothing');
  await forgetWords(app.services);
  expect(await listed()).toEqual(['nothing']);
  here = first;
  expect((await inDoubt()).length).toBeGreaterThan(0);
});
