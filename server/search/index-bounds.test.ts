import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { searchCalls } from '#domain/search/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { indexPendingTexts } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function callWithNotes(notesSnapshot: string) {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const body = { endForEveryone: true, notesSnapshot };
  await ada.call(updateCall, { params: { id: call.id }, body });
  const finds = async (q: string) =>
    (await ada.call(searchCalls, { query: `?q=${q}` })).calls.length;
  return { orgId: ada.user.orgId ?? '', call, finds };
}
const countOf = async (table: 'search_texts' | 'search_words', orgId: string) => {
  const text = `select count(*)::integer as n from ${table} where org_id = $1`;
  return (await app.owner.query(text, [orgId])).rows[0]?.n;
};

test('R16-3: notes have a bounded number of texts, however many lines they have', async () => {
  const { orgId, finds } = await callWithNotes(`${'a\n'.repeat(20_000)}platypus\n`);
  await indexPendingTexts(app.services);
  expect(await countOf('search_texts', orgId)).toBeLessThanOrEqual(2_300);
  expect(await finds('platypus')).toBe(1);
});

test('R16-3: notes that cannot be indexed wait, and those of other organizations do not', async () => {
  const [eve, ben] = [await callWithNotes('marmalade'), await callWithNotes('marmalade')];
  const later = await callWithNotes('marmalade');
  await app.owner.query(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'refused'; end $$`);
  await app.owner.query(`create trigger refused before insert on search_texts for each row
    when (new.org_id = '${eve.orgId}') execute function refuse()`);
  await indexPendingTexts(app.services);
  await app.owner.query('drop function refuse() cascade');
  expect([await eve.finds('marmalade'), await ben.finds('marmalade')]).toEqual([0, 1]);
  expect(await later.finds('marmalade')).toBe(1);
  await indexPendingTexts(app.services);
  expect(await eve.finds('marmalade')).toBe(0);
  await app.owner.query('update search_pending set next_try_at = now()');
  await indexPendingTexts(app.services);
  expect(await eve.finds('marmalade')).toBe(1);
});

test('R16-3: calls are indexed in turns of their organizations', async () => {
  const [eve, ben] = [await newOrganization(app), await newOrganization(app)];
  await app.owner.query(
    `insert into search_pending (org_id, call_id)
      select $1::uuid, gen_random_uuid() from generate_series(1, 40)
      union all select $2::uuid, gen_random_uuid()`,
    [eve.user.orgId, ben.user.orgId],
  );
  const { rows } = await app.owner.query('select org_id from search_calls_to_index(5, 2)');
  expect(new Set(rows.map(({ org_id }) => org_id)).size).toBe(2);
  await app.owner.query('delete from search_pending');
});

test('R16-5: the list of words of an organization is bounded, and texts are found without it', async () => {
  const letters = (n: number) =>
    [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  const words = Array.from({ length: 3000 }, (_, n) => `q${letters(n).join('').padStart(6, 'x')}`);
  const { orgId, finds } = await callWithNotes(words.join(' '));
  await indexPendingTexts(app.services);
  expect(await countOf('search_words', orgId)).toBe(1_000);
  expect(await finds(words.at(-1) ?? '')).toBe(1);

  const { orgId: full, call } = await callWithNotes('');
  await app.owner.query(
    `insert into search_words (org_id, word, variants)
      select $1, 'word' || n, '{}' from generate_series(1, 100000) n`,
    [full],
  );
  await app.owner.query(
    `insert into search_texts (org_id, call_id, at_ms, kind, source_id, text, words)
      values ($1, $2, 0, 'note', $2, 'marzipan', search_vector('marzipan'))`,
    [full, call.id],
  );
  expect(await countOf('search_words', full)).toBe(100_000);
});
