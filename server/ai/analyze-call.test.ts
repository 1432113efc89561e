import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { regenerateActionItems } from '#domain/action-items/contract.ts';
import { analyzeCall } from '#domain/ai/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { AnalyzerError } from '#server/providers/ai/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { type Spoken, spokenCall } from '#server/testing/spoken-call.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';
import { readLastTurns } from '#server/transcripts/read-turns.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;

beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());
beforeEach(() => vi.restoreAllMocks());

const complaint = 'The export stopped working again and we will cancel our contract in May.';
const greeting = 'Good morning, it is nice to see you again after such a long time, how was it?';
const said: Spoken[] = [
  { speaker: 'Ada', kind: 'staff', text: greeting },
  { speaker: 'Ben', kind: 'guest', text: complaint },
];
const ask = (
  id: CallId,
  by: Visitor = ada,
  body: { questions?: ('sentiment' | 'coaching')[]; isManual?: boolean } = {},
) =>
  by.call(analyzeCall, {
    params: { id },
    body: { questions: ['sentiment', 'coaching'], isManual: true, ...body },
  });

test('a call without notes is analyzed from its transcript, whose line the answers quote', async () => {
  const { id } = await spokenCall(app, ada, said);
  const { sentiment, suggestions, analyzer } = await ask(id);
  expect(sentiment).toMatchObject({ concernsDetected: true, supported: true });
  expect(sentiment?.overallSentiment).toBeLessThan(-0.3);
  expect(sentiment?.evidence).toContain(`Ben: ${complaint}`);
  expect(suggestions?.[0]).toMatchObject({ type: 'risk', context: `Ben: ${complaint}` });
  expect(analyzer).toEqual({ name: 'offline', offline: true });
});

test('all who watch a call get one analysis, until more is said or typed', async () => {
  const { id } = await spokenCall(app, ada, said);
  const ian = await newMember(app, ada, 'AGENT');
  const read = vi.spyOn(app.services.ai, 'readSentiment');
  const answers = await Promise.all([ask(id), ask(id, ian), ask(id, ian)]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
  const { rows: events } = await app.owner.query(
    'select action from audit_events where entity_id = $1 and action = any ($2) order by action',
    [id, ['COACHING_ASKED', 'SENTIMENT_ANALYZED']],
  );
  expect(events, 'one event for each analysis').toEqual([
    { action: 'COACHING_ASKED' },
    { action: 'SENTIMENT_ANALYZED' },
  ]);
  await ada.call(updateCall, { params: { id }, body: { notesSnapshot: 'They love the reports.' } });
  await ask(id, ian);
  expect(read).toHaveBeenCalledTimes(2);
  expect(read.mock.calls[1]?.[0].text).toBe('They love the reports.');
});

test('R19-69: an analysis reads as much of a long call as it uses', async () => {
  const long = 'x'.repeat(700);
  const { id, lineIds } = await spokenCall(app, ada, [
    ...Array.from({ length: 20 }, () => ({ speaker: 'Ada', kind: 'staff', text: long }) as const),
    { speaker: 'Eve', kind: 'guest', text: 'I do not agree to this.', agrees: false },
    { speaker: 'Ben', kind: 'guest', text: complaint },
  ]);
  const notes = `${'An older line.\n'.repeat(10_000)}The last line is read.`;
  await ada.call(updateCall, { params: { id }, body: { notesSnapshot: notes } });
  const [read, advised] = [
    vi.spyOn(app.services.ai, 'readSentiment'),
    vi.spyOn(app.services.ai, 'suggest'),
  ];
  await ask(id);
  const mood = read.mock.calls[0]?.[0];
  expect(mood).toMatchObject({ text: notes.slice(-1000), storedNotes: '' });
  expect(mood?.turns.map(({ lineId }) => lineId)).toEqual([lineIds[19], lineIds[21]]);
  const advice = advised.mock.calls[0]?.[0];
  expect(advice?.text).toBe(notes.slice(-1500));
  expect(advice?.turns.map(({ lineId }) => lineId)).toEqual([
    ...lineIds.slice(18, 20),
    lineIds[21],
  ]);
  // Lines come from the database only as far as they fit.
  const { orgId } = ada.user;
  if (orgId === null) throw new Error('she has an organization');
  const tenant = tenantOf(app.services.database, { kind: 'system', name: 'test', orgId }, null);
  const last = await tenant.connection((at) =>
    readLastTurns(at, id, { most: 200, characters: 1500, agreedTo: 'analysis' }),
  );
  expect(last).toEqual(advice?.turns);
});

test('R32-B2: of a call with very long phrases, as many are read as an analyzer uses', async () => {
  const phrase = (n: number): Spoken => ({ speaker: 'Ada', kind: 'staff', text: `Phrase ${n}` });
  const { id } = await spokenCall(
    app,
    ada,
    Array.from({ length: 200 }, (_, n) => phrase(n)),
  );
  await app.owner.query(
    "update transcript_lines set text = text || repeat('ж', 5000 - length(text)) where call_id = $1",
    [id],
  );
  const read = vi.spyOn(app.services.ai, 'findActionItems');
  await ada.call(regenerateActionItems, { params: { id }, body: {} });
  const turns = read.mock.calls[0]?.[0].turns ?? [];
  expect(turns.map(({ text }) => text.length)).toEqual(Array(144).fill(5000));
  expect(turns.at(-1)?.text).toMatch(/^Phrase 199ж/);
});

test('what people said who did not agree to an analysis is not analyzed', async () => {
  const { id } = await spokenCall(app, ada, [
    { speaker: 'Ben', kind: 'guest', text: complaint, agrees: false },
  ]);
  expect(await ask(id)).toEqual({ sentiment: null, suggestions: null, analyzer: null });
});

test('R19-3: what a person said whose removal waits for a legal hold is not analyzed', async () => {
  const { id } = await spokenCall(app, ada, [{ speaker: 'Ben', kind: 'guest', text: complaint }]);
  await app.owner.query(
    `insert into held_removals (org_id, call_id, participant_id)
      select distinct org_id, call_id, participant_id from transcript_lines where call_id = $1`,
    [id],
  );
  expect(await ask(id)).toEqual({ sentiment: null, suggestions: null, analyzer: null });
});

test('the timer gets mood from more than 100 characters and advice from more than 200', async () => {
  const byTimer = { isManual: false };
  const { id } = await spokenCall(app, ada, said.slice(1));
  expect(await ask(id, ada, byTimer)).toMatchObject({ sentiment: null, suggestions: null });
  const longer = await spokenCall(app, ada, said);
  const answer = await ask(longer.id, ada, byTimer);
  expect(answer.sentiment).not.toBeNull();
  expect(answer.suggestions).toBeNull();
});

test('an analysis that failed is made again', async () => {
  const { id } = await spokenCall(app, ada, said);
  vi.spyOn(app.services.ai, 'readSentiment').mockRejectedValueOnce(new AnalyzerError('busy'));
  const body = { questions: ['sentiment'], isManual: true };
  const path = `/api/calls/${id}/analysis`;
  expect((await ada.send('POST', path, body)).status).toBe(503);
  expect((await ada.send('POST', path, body)).status).toBe(200);
});

test('a call of another organization is not found', async () => {
  const { id } = await spokenCall(app, ada, said);
  const eve = await newOrganization(app);
  const body = { questions: ['sentiment'], isManual: true };
  expect((await eve.send('POST', `/api/calls/${id}/analysis`, body)).status).toBe(404);
});
