import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { searchCalls } from '#domain/search/contract.ts';
import { newActionItem } from '#server/testing/furnish.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { indexPendingTexts } from './jobs.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const search = (q: string, more = '') =>
  ada.call(searchCalls, { query: `?q=${encodeURIComponent(q)}${more}` });
/** Starts a call in which these lines were said, ten seconds apart. */
async function callWith(...lines: [name: string, text: string][]) {
  const started = await runningCall(ada);
  for (const [at, [name, text]] of lines.entries()) {
    await storeTranscriptLine(app, started.call.id, { name, text, startMs: at * 10_000 });
  }
  return started;
}
const end = (id: string, notesSnapshot?: string) =>
  ada.call(updateCall, {
    params: { id },
    body: { endForEveryone: true, ...(notesSnapshot ? { notesSnapshot } : {}) },
  });

/** What is found, with what is highlighted in brackets. */
async function found(q: string, more = ''): Promise<string[]> {
  const { calls } = await search(q, more);
  return calls.flatMap(({ hits }) =>
    hits.map(({ text, marks }) =>
      marks.reduceRight(
        (all, { from, to }) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`,
        text,
      ),
    ),
  );
}

test.each([
  ['PRICE fixed', 'The price is fixed', 'The [price] is [fixed]'],
  ['"is fixed"', 'The price is fixed', 'The price [is fixed]'],
  ['"is fixed', 'fixed it is', '[fixed] it [is]'],
  ['don’t', "We don't know", "We [don't] know"],
  ['uber STRASSE', 'Über die Straße', '[Über] die [Straße]'],
  ['привет', 'Привет, мир', '[Привет], мир'],
  ['السعر', 'ما هو السِّعْر الجديد؟', 'ما هو [السِّعْر] الجديد؟'],
  ['שלום', 'שָׁלוֹם לכולם', '[שָׁלוֹם] לכולם'],
  ['東京都', '来週は東京都で会いましょう', '来週は[東京都]で会いましょう'],
  ['会', '来週は東京都で会いましょう', '来週は東京都で[会]いましょう'],
  ['가격', '새로운 가격이 좋아요', '새로운 [가격]이 좋아요'],
  ['ราคา', 'ขอทราบราคาสินค้า', 'ขอทราบ[ราคา]สินค้า'],
  ['100%', 'We are 100% sure', 'We are [100]% sure'],
  ['<b>', 'Use <b>bold</b>', 'Use <[b]>bold</[b]>'],
])('%s finds %s, and marks what matches', async (q, text, marked) => {
  await callWith(['Ada', text], ['Bo', 'Something else']);
  expect(await found(q)).toEqual([marked]);
});

test('a hit names its call, kind, speaker, and second', async () => {
  const { call, room } = await callWith(['Ada', 'Hello'], ['Cleo', 'The price is fixed']);
  const { firstName, lastName, id } = ada.user;
  expect(await search('price')).toEqual({
    calls: [
      {
        id: call.id,
        startedAt: call.startedAt,
        durationSec: null,
        room: { id: room.id, topic: room.topic },
        agent: { id, name: `${firstName} ${lastName}` },
        hits: [
          {
            kind: 'line',
            speaker: 'Cleo',
            startMs: 10_000,
            text: 'The price is fixed',
            marks: [{ from: 4, to: 9 }],
          },
        ],
        hasMore: false,
      },
    ],
    corrected: null,
    next: null,
  });
});

test('chats, notes of ended calls, action items, and insights are found', async () => {
  const { call } = await callWith(['Ada', 'walrus said']);
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id, sent_at)
      values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'guest', 'Cleo', 'walrus written', '1', $3)`,
    [ada.user.orgId, call.id, new Date(Date.parse(call.startedAt) + 5000)],
  );
  await app.owner.query(
    `update action_items set title = 'Feed the walrus', cited_start_ms = 4000 where id = $1`,
    [await newActionItem(ada, call.id)],
  );
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights) values ($1, $2, 'ready', $3)`,
    [
      call.id,
      ada.user.orgId,
      { summary: [{ text: 'A walrus was discussed', cites: [{ kind: 'line', startMs: 1000 }] }] },
    ],
  );
  await end(call.id, 'First line\nThe walrus noted');
  await indexPendingTexts(app.services);
  const { calls } = await search('walrus', `&callId=${call.id}`);
  expect(calls[0]?.hits.map(({ kind, speaker, startMs }) => [kind, speaker, startMs])).toEqual([
    ['line', 'Ada', 0],
    ['insight', null, 1000],
    ['action', null, 4000],
    ['chat', 'Cleo', 5000],
    ['note', null, null],
  ]);
  await ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot: 'An otter' } });
  expect(await found('noted')).toEqual([]);
  await indexPendingTexts(app.services);
  expect(await found('otter')).toEqual(['An [otter]']);
});

test('the newest calls are first, each with its first hits, page by page and all of one call', async () => {
  const ids: string[] = [];
  for (const count of [1, 2, 30, 12]) {
    const lines = Array.from({ length: count }, (): [string, string] => ['Ada', 'the price']);
    ids.unshift((await callWith(...lines)).call.id);
  }
  const shown = ({ calls }: Awaited<ReturnType<typeof search>>) =>
    calls.map(({ id, hits, hasMore }) => [ids.indexOf(id), hits.length, hasMore]);
  const first = await search('price');
  expect(shown(first)).toEqual([
    [0, 4, true],
    [1, 4, true],
  ]);
  const second = await search('price', `&before=${first.next}`);
  expect(shown(second)).toEqual([
    [2, 2, false],
    [3, 1, false],
  ]);
  expect(second.next).toBeNull();
  expect(shown(await search('price', `&callId=${ids[1]}`))).toEqual([[1, 30, false]]);
});

test('a filter that few of many hits match is answered in parts', async () => {
  const { call, room } = await callWith(['Ada', 'the price']);
  const { call: newer } = await callWith();
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms, end_ms,
        text, recognizer)
      select gen_random_uuid(), $1, $2, $2, 'guest', 'Cleo', n, n, 'a price', 'test' from generate_series(1, 1000) n`,
    [ada.user.orgId, newer.id],
  );
  const first = await search('price', `&roomId=${room.id}`);
  expect(first).toEqual({ calls: [], corrected: null, next: newer.id });
  const second = await search('price', `&roomId=${room.id}&before=${first.next}`);
  expect([second.calls.map(({ id }) => id), second.next]).toEqual([[call.id], null]);
});

test('each filter narrows the calls, and a speaker the lines', async () => {
  const { call, room, playbook } = await callWith(
    ['Ada Lovelace', 'the price'],
    ['山田 太郎', 'a price'],
  );
  const ben = await newMember(app, ada, 'VIEWER');
  await ada.call(updateCall, { params: { id: call.id }, body: { npsScore: 3 } });
  await end(call.id);
  const other = (await ada.call(createRoom, { body: { topic: 'Other' } })).id;
  const today = call.startedAt.slice(0, 10);
  const counts: Record<string, number> = {
    [`&roomId=${room.id}`]: 2,
    [`&roomId=${other}`]: 0,
    [`&playbookId=${playbook.id}`]: 2,
    [`&playbookId=${other}`]: 0,
    [`&agentId=${ada.user.id}`]: 2,
    [`&agentId=${ben.user.id}`]: 0,
    [`&from=${today}&to=${today}`]: 2,
    '&to=2020-01-01': 0,
    '&from=2999-01-01': 0,
    '&score=detractors': 2,
    '&score=promoters': 0,
    '&score=none': 0,
    '&guests=with': 2,
    '&speaker=lovelace%20ada': 1,
    '&speaker=山田': 1,
    '&speaker=Bob': 0,
    '&speaker=price': 0,
  };
  const answers = await Promise.all(
    Object.keys(counts).map(async (filter) => [filter, (await found('price', filter)).length]),
  );
  expect(Object.fromEntries(answers)).toEqual(counts);
});

test('a viewer searches what the organization has, and another organization finds nothing', async () => {
  await callWith(['Ada', 'the price']);
  const ben = await newMember(app, ada, 'VIEWER');
  expect((await ben.call(searchCalls, { query: '?q=price' })).calls).toHaveLength(1);
  const eve = await newOrganization(app);
  const answer = await eve.call(searchCalls, { query: '?q=price' });
  expect(answer).toEqual({ calls: [], corrected: null, next: null });
  expect((await eve.call(searchCalls, { query: '?q=pryce' })).corrected).toBeNull();
});

test('calls of sample rooms are marked', async () => {
  await ada.call(loadSamples, { body: {} });
  await indexPendingTexts(app.services);
  const { calls } = await search('seat');
  expect(calls.map(({ sample }) => sample)).toContain(true);
});

test('a word that is nowhere is corrected, unless the query forbids it', async () => {
  await callWith(['Ada', 'The quarterly invoice is late']);
  const typed = await search('"quartrely invoice" late');
  expect(typed.corrected).toEqual({ q: '"quarterly invoice" late', words: ['quarterly'] });
  expect(typed.calls).toHaveLength(1);
  expect(await search('quartrely', '&exact=true')).toMatchObject({ calls: [], corrected: null });
  expect(await search('quartrely zebra')).toMatchObject({ calls: [], corrected: null });
});

test.each([
  ['10,000 characters', 'a'.repeat(10_000), 400],
  ['too many words', 'a '.repeat(40), 400],
  ['a NUL', 'a\0b', 400],
  ['only operators', "& | ! <-> () : * \\ '", 200],
  ['open quotes', '"""" "a', 200],
  ['percent signs', '%%%_%', 200],
  ['nothing', ' ', 200],
  ['SQL', `'); drop table calls; --`, 200],
  ['emoji and halves of pairs', '👍\ud83d é', 200],
])('%s is answered', async (_, q, status) => {
  await callWith(['Ada', 'the price']);
  const reply = await ada.send('GET', `/api/search?q=${encodeURIComponent(q.toWellFormed())}`);
  expect(reply.status).toBe(status);
});

test('a transcript of 300,000 words is indexed and searched', async () => {
  const { call } = await callWith(['Ada', 'the needle']);
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms, end_ms,
        text, recognizer)
      select gen_random_uuid(), $1, $2, $2, 'guest', 'Cleo', n * 1000, n * 1000, repeat('hay stack ', 50), 'test'
      from generate_series(1, 3000) n`,
    [ada.user.orgId, call.id],
  );
  expect(await found('needle')).toEqual(['the [needle]']);
  const [first] = (await search('hay')).calls;
  expect([first?.hits.length, first?.hasMore]).toEqual([4, true]);
  expect(first?.hits[0]?.text.length).toBeLessThan(300);
}, 60_000);

test('R32-B3: hits whose texts are long together are marked by another thread', async () => {
  const long = `${'東京 '.repeat(1_500)}The platypus answers`;
  await callWith(['Bo', long], ['Bo', long], ['Bo', 'A platypus']);
  await indexPendingTexts(app.services);
  const read = vi.spyOn(String.prototype, 'matchAll');
  const texts = await found('platypus');
  const readHere = read.mock.contexts.map(String);
  read.mockRestore();
  expect(texts).toHaveLength(3);
  expect(texts).toContain('A [platypus]');
  for (const text of texts) expect(text).toContain('[platypus]');
  expect(readHere.filter((text) => text.includes('platypus answers'))).toEqual([]);
});
