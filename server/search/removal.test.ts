import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { updateRetention } from '#domain/privacy/contract.ts';
import { deleteRecording, removeFromRecording } from '#domain/recordings/contract.ts';
import { correctLine } from '#domain/transcripts/contract.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import { finishErasures } from '#server/privacy/finish-erasures.ts';
import { forgetOldEverywhere } from '#server/privacy/forget-old.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordedCall } from '#server/testing/recorded-call.ts';
import { newMember } from '#server/testing/visitor.ts';
import { forgetWords } from './forget-words.ts';
import { indexPendingTexts } from './jobs.ts';

let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
let bo: string;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

let run = 0;
/** A word that no other test has: letters only, so that it is in the list of words. */
const unheard = (stem: string) => `${stem}${String.fromCharCode(97 + run)}xq`;
let [secret, shared] = ['', ''];

/** Bo and Cleo say a word that both have, and each one of their own. */
beforeEach(async () => {
  run += 1;
  [secret, shared] = [unheard('platypus'), unheard('marmalade')];
  here = await recordedCall(app);
  bo = (await here.join('Bo')).id;
  const cleo = (await here.join('Cleo')).id;
  await says(bo, `${secret} and ${shared}`);
  await says(cleo, `only ${shared}`);
});

const says = async (participant: string, text: string, account: string | null = null) => {
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, account_id, name,
        start_ms, end_ms, text, recognizer)
      values (gen_random_uuid(), $1, $2, $3, 'guest', $4, 'Someone', 0, 900, $5, 'test') returning id`,
    [here.org, here.call.id, participant, account, text],
  );
  return rows[0]?.id ?? '';
};
const params = () => ({ id: here.call.id });

/** The tables in which a word is, in any row, after the job has run that forgets words. */
async function tablesWith(word: string): Promise<string[]> {
  await forgetWords(app.services);
  const { rows } = await app.owner.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' order by c.relname`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const query = `select 1 from "${name}" t where t::text like '%' || $1 || '%' limit 1`;
    if ((await app.owner.query(query, [word])).rowCount) found.push(name);
  }
  return found;
}
const listed = ['search_texts', 'search_words'];
const said = [...listed, 'transcript_lines'];

const ends: Record<string, () => Promise<unknown>> = {
  'the removal of a person': () =>
    here.ada.call(removeFromRecording, { params: { ...params(), participantId: bo } }),
  'the removal of a person whose lines were aligned': async () => {
    await app.owner.query('update transcript_lines set start_ms = 7 where participant_id = $1', [
      bo,
    ]);
    await here.ada.call(removeFromRecording, { params: { ...params(), participantId: bo } });
  },
  'the erasure of a guest': () => here.ada.send('POST', '/api/privacy/erase', { guest: 'Bo' }),
  'a correction': async () => {
    const { rows } = await app.owner.query<{ id: string }>(
      'select id from transcript_lines where participant_id = $1',
      [bo],
    );
    // The recognized text stays with the line, and is not searched.
    await here.ada.call(correctLine, {
      params: { id: rows[0]?.id ?? '' },
      body: { text: 'nothing' },
    });
    await app.owner.query('update transcript_lines set recognized_text = $1 where id = $2', [
      'nothing',
      rows[0]?.id,
    ]);
  },
};
test.each(Object.keys(ends))('%s leaves no word that nobody else has said', async (name) => {
  expect(await tablesWith(secret)).toEqual(said);
  await ends[name]?.();
  expect(await tablesWith(secret)).toEqual([]);
  expect(await tablesWith(shared)).toEqual(said);
});

test('the deletion of a transcript, and of a call, leaves no word', async () => {
  await here.ada.call(deleteRecording, { params: params() });
  expect([await tablesWith(secret), await tablesWith(shared)]).toEqual([[], []]);
  await says(bo, secret);
  await app.owner.query('delete from calls where id = $1', [here.call.id]);
  expect(await tablesWith(secret)).toEqual([]);
});

test('the erasure of a member leaves no word of theirs', async () => {
  const member = await newMember(app, here.ada, 'AGENT');
  const { id } = await here.join('Mia', member.user.id);
  const word = unheard('quokka');
  await says(id, word, member.user.id);
  await here.ada.send('POST', '/api/privacy/erase', { userId: member.user.id });
  await finishErasures(app.services);
  expect(await tablesWith(word)).toEqual([]);
  expect(await tablesWith(secret)).toEqual(said);
});

test('retention of notes, chats, names, and results leaves no word of them', async () => {
  const words = ['note', 'chat', 'item', 'topic', 'name'].map(unheard);
  const [note, chat, item, topic, name] = words;
  const key = [here.org, here.call.id];
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'guest', $3, $4, '1')`,
    [...key, name, chat],
  );
  await app.owner.query(
    `with list as (insert into action_item_lists (call_id, org_id, analyzer, offline) values ($2, $1, 'x', true))
      insert into action_items (id, org_id, call_id, position, priority, confidence, title, description)
      values (gen_random_uuid(), $1, $2, 0, 'high', 1, $3, '')`,
    [...key, item],
  );
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights) values ($2, $1, 'ready', $3)`,
    [...key, { topics: [{ text: topic, cites: [] }] }],
  );
  await here.ada.call(updateCall, {
    params: params(),
    body: { notesSnapshot: `# ${note}`, endForEveryone: true },
  });
  await indexPendingTexts(app.services);
  for (const word of words) expect(await tablesWith(word ?? '')).toContain('search_texts');
  await here.ada.call(updateRetention, {
    body: { notes: 1, chats: 1, aiResults: 1, guestNames: 1 },
  });
  await forgetOldEverywhere(app.services, new Date(Date.now() + 9 * 86_400_000));
  await indexPendingTexts(app.services);
  for (const word of words) expect([word, await tablesWith(word ?? '')]).toEqual([word, []]);
  expect(await tablesWith(secret)).toEqual(said);
});

test('two transactions that delete the last two lines with a word leave none', async () => {
  const word = unheard('wombat');
  const ids = [await says(bo, word), await says(bo, word)];
  const remove = async (id: string, afterwards: () => Promise<unknown>) => {
    await app.services.database.transaction(here.org, async ({ run }) => {
      await run({ name: 'remove_line', text: 'delete from transcript_lines where id = $1' }, [id]);
      await afterwards();
    });
  };
  let meet = () => {};
  const bothDeleted = new Promise<void>((resolve) => {
    meet = resolve;
  });
  let deleted = 0;
  const arrive = () => {
    deleted += 1;
    if (deleted === 2) meet();
    return bothDeleted;
  };
  await Promise.all(ids.map((id) => remove(id, arrive)));
  expect(await tablesWith(word)).toEqual([]);
});

test('the deletion of an organization leaves no word', async () => {
  await app.owner.query(
    `insert into organization_deletions (org_id, requested_at, due_at)
      values ($1, now() - interval '60 days', now() - interval '1 day')`,
    [here.org],
  );
  await deleteDueOrganizations(app.services);
  expect([await tablesWith(secret), await tablesWith(shared)]).toEqual([[], []]);
});
