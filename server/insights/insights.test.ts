import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { regenerateActionItems } from '#domain/action-items/contract.ts';
import { analyzeSentiment } from '#domain/ai/contract.ts';
import { readAiSettings, updateAiSettings } from '#domain/ai-settings/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { generateInsights, readInsights } from '#domain/insights/contract.ts';
import { ModelStandIn, type ReadLine } from '#server/testing/model-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { endedCall, type Spoken, spokenCall } from '#server/testing/spoken-call.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { generateMissingInsights } from './jobs.ts';

const standIn = new ModelStandIn();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;

beforeAll(async () => {
  const AI_URL = await standIn.listen();
  app = await openTestApp({
    AI_URL,
    AI_MODEL: 'small',
    AI_KEY: 'a key for the model',
    AI_PRICE: '3/15',
  });
  ada = await newOrganization(app);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});
beforeEach(async () => {
  const body = { provider: null, monthlyTokens: null };
  await ada.call(updateAiSettings, { body });
  standIn.requests.length = 0;
  standIn.react = goodInsights;
});

const talk: Spoken[] = [
  { speaker: 'Ada', kind: 'staff', text: 'Welcome back, how did the rollout go in Hamburg?' },
  { speaker: 'Ben', kind: 'guest', text: 'The export failed twice last week, we are not happy.' },
  { speaker: 'Ada', kind: 'staff', text: "I'll send you the new exporter by Friday." },
  { speaker: 'Ben', kind: 'guest', text: 'What does the larger plan cost per seat?' },
];

const cite = (line: ReadLine | undefined) => [{ ref: line?.ref ?? '?', quote: line?.text ?? '?' }];

/** Says one true thing about each line, and one that no line says. */
const goodInsights = ({ lines }: { lines: ReadLine[] }) => ({
  summary: [
    {
      text: 'The export failed in the rollout.',
      cites: cite(lines.find(({ text }) => text.includes('export failed'))),
    },
    {
      text: 'The customer signs for three years.',
      cites: [{ ref: 'T2', quote: 'we sign for three years' }],
    },
    {
      text: 'The customer called from Lima.',
      cites: [{ ref: 'T900', quote: 'The export failed twice' }],
    },
    { text: 'Nothing supports this.', cites: [] },
  ],
  topics: [{ text: 'Export', cites: cite(lines[1]) }],
  questions: [
    {
      text: 'What does the larger plan cost?',
      cites: cite(lines.at(-1)),
      isOpen: true,
      askedBy: 'Ben',
    },
  ],
});

async function insightsOf(id: CallId, by = ada) {
  await generateMissingInsights(app.services, new Date());
  return by.call(readInsights, { params: { id } });
}

describe('the insights of an ended call', () => {
  test('keep what cites a true line, with its second, and drop what does not', async () => {
    const { id, lineIds } = await spokenCall(app, ada, talk);
    await endedCall(app, ada, id, 'Agenda: exports');
    const { state, insights, analyzer } = await insightsOf(id);
    expect(state).toBe('ready');
    expect(analyzer).toEqual({ name: 'compatible', offline: false, model: 'small' });
    expect(insights?.summary).toEqual([
      {
        text: 'The export failed in the rollout.',
        cites: [
          { kind: 'line', lineId: lineIds[1], startMs: 5000, speaker: 'Ben', quote: talk[1]?.text },
        ],
      },
    ]);
    expect(insights?.questions).toMatchObject([{ isOpen: true, askedBy: 'Ben' }]);
    expect(insights?.talk).toMatchObject([
      { name: 'Ada', side: 'team', talkMs: 8000, share: 0.5 },
      { name: 'Ben', side: 'customer', talkMs: 8000, share: 0.5 },
    ]);
    const stored = await app.owner.query(
      'select answer::text, input_tokens, cost from ai_answers where call_id = $1',
      [id],
    );
    expect(stored.rows).toEqual([{ answer: null, input_tokens: 100, cost: '600' }]);
  });

  test('are generated once, and again on request by staff', async () => {
    const { id } = await spokenCall(app, ada, talk);
    await endedCall(app, ada, id);
    await insightsOf(id);
    expect(await generateMissingInsights(app.services, new Date())).toBe(0);
    expect(standIn.requests).toHaveLength(1);
    const again = await ada.call(generateInsights, { params: { id }, body: {} });
    expect(again.state).toBe('working');
    await vi.waitFor(async () => {
      expect((await ada.call(readInsights, { params: { id } })).state).toBe('ready');
    });
    const events = await app.owner.query(
      `select distinct action from audit_events where entity_id = $1`,
      [id],
    );
    expect(events.rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['INSIGHTS_REQUESTED', 'INSIGHTS_GENERATED', 'AI_TEXT_SENT']),
    );
  });

  test('have nothing of a person who did not agree to an analysis', async () => {
    const { id } = await spokenCall(app, ada, [
      ...talk,
      { speaker: 'Cem', kind: 'guest', text: 'My secret number is forty two.', agrees: false },
    ]);
    await endedCall(app, ada, id);
    const { insights } = await insightsOf(id);
    expect(JSON.stringify(standIn.requests)).not.toContain('secret number');
    expect(JSON.stringify(insights)).not.toContain('Cem');
  });

  test('and everything else that is derived from a line are gone when the line is', async () => {
    standIn.react = ({ lines, instructions }) =>
      instructions.includes('actionItems') || instructions.includes('committed')
        ? {
            actionItems: [
              {
                title: 'Send the exporter',
                priority: 'high',
                owner: 'me',
                due: 'by Friday',
                dueOn: '2026-11-27',
                cites: cite(lines[2]),
              },
            ],
          }
        : goodInsights({ lines });
    const { id, lineIds } = await spokenCall(app, ada, talk);
    await endedCall(app, ada, id);
    await insightsOf(id);
    const { actionItems } = await ada.call(regenerateActionItems, { params: { id }, body: {} });
    expect(actionItems).toMatchObject([
      {
        owner: 'Ada',
        dueOn: '2026-11-27',
        source: { kind: 'line', lineId: lineIds[2], startMs: 10_000, speaker: 'Ada' },
      },
    ]);
    await app.owner.query('delete from transcript_lines where id = $1', [lineIds[2]]);
    const left = await app.owner.query(
      `select (select count(*)::int from ai_answers where call_id = $1) as answers,
        (select count(*)::int from call_insights where call_id = $1) as insights,
        (select count(*)::int from action_items where call_id = $1) as items`,
      [id],
    );
    expect(left.rows).toEqual([{ answers: 0, insights: 0, items: 0 }]);
  });

  test('of the built-in analyzer are talk, questions, and no invented summary', async () => {
    await ada.call(updateAiSettings, { body: { provider: 'offline' } });
    const { id } = await spokenCall(app, ada, talk);
    await endedCall(app, ada, id);
    const { insights, analyzer } = await insightsOf(id);
    expect(standIn.requests).toEqual([]);
    expect(analyzer).toEqual({ name: 'offline', offline: true });
    expect(insights).toMatchObject({ summary: null, topics: null });
    expect(insights?.questions?.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    expect(insights?.talk).toHaveLength(2);
    const { actionItems } = await ada.call(regenerateActionItems, { params: { id }, body: {} });
    expect(actionItems).toMatchObject([
      { source: { kind: 'line', startMs: 10_000 }, owner: 'Ada' },
    ]);
  });

  test('R15-6: are read one call of an organization at a time', async () => {
    const calls = [await spokenCall(app, ada, talk), await spokenCall(app, ada, talk)];
    for (const { id } of calls) await endedCall(app, ada, id);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    standIn.react = async (request) => {
      await released;
      return goodInsights(request);
    };
    for (const { id } of calls) await ada.call(generateInsights, { params: { id }, body: {} });
    await expect.poll(() => standIn.requests.length, { timeout: 10_000 }).toBe(1);
    const states = () =>
      Promise.all(
        calls.map(async ({ id }) => (await ada.call(readInsights, { params: { id } })).state),
      );
    expect(await states()).toEqual(['working', 'working']);
    expect(standIn.requests).toHaveLength(1);
    release();
    await expect.poll(states, { timeout: 10_000 }).toEqual(['ready', 'ready']);
  });

  test('belong to one organization', async () => {
    const { id } = await spokenCall(app, ada, talk);
    await endedCall(app, ada, id);
    await insightsOf(id);
    const eve = await newOrganization(app);
    expect((await eve.send('GET', `/api/calls/${id}/insights`)).status).toBe(404);
    const other = await spokenCall(app, eve, [
      { ...talk[1], text: 'We like the colors of the charts.' } as Spoken,
    ]);
    await endedCall(app, eve, other.id);
    standIn.requests.length = 0;
    await insightsOf(other.id, eve);
    expect(JSON.stringify(standIn.requests)).not.toContain('export failed');
  });
});

describe('a person who is removed while a call is read', () => {
  test('is not in its insights, nor in their talk shares', async () => {
    const { id, lineIds } = await spokenCall(app, ada, [
      { speaker: 'Ada', kind: 'staff', text: 'How did the rollout go in Hamburg?' },
      { speaker: 'Ben', kind: 'guest', text: 'The export failed twice last week.' },
    ]);
    await endedCall(app, ada, id);
    standIn.react = async () => {
      await app.owner.query('delete from transcript_lines where id = $1', [lineIds[1]]);
      return { status: 500 };
    };
    expect((await insightsOf(id)).insights).toBeNull();
    await app.owner.query(
      `update call_insights set requested_at = now() - interval '1 hour' where call_id = $1`,
      [id],
    );
    expect((await insightsOf(id)).insights?.talk).toMatchObject([{ name: 'Ada', share: 1 }]);
  });
});

describe('a monthly budget', () => {
  test('counts a question whose asker left before the answer', async () => {
    const { id } = await spokenCall(app, ada, talk);
    const used = async () => {
      const { rows } = await app.owner.query('select sum(input_tokens)::int as n from ai_usage');
      return rows[0].n;
    };
    const before = await used();
    const origin = (await app.listen()).replace(/^ws/, 'http');
    const leaving = new AbortController();
    standIn.react = () => {
      leaving.abort();
      return 'silence';
    };
    const asked = fetch(`${origin}/api/ai/analyze-sentiment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: ada.cookie, origin },
      body: JSON.stringify({ callId: id, conversationText: 'They love the reports.' }),
      signal: leaving.signal,
    });
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(used, { timeout: 10_000 }).toBeGreaterThan(before + 50);
  });

  test('that is used up lets the built-in analyzer answer, which says so', async () => {
    const { id } = await spokenCall(app, ada, talk);
    await ada.call(updateAiSettings, { body: { monthlyTokens: 200 } });
    const body = { callId: id, conversationText: 'They love the reports.' };
    const { analyzer } = await ada.call(analyzeSentiment, { body });
    expect(analyzer).toEqual({ name: 'offline', offline: true, insteadOf: 'budget' });
    expect(standIn.requests).toEqual([]);
    const settings = await ada.call(readAiSettings);
    expect(settings).toMatchObject({ monthlyTokens: 200, isExhausted: true, currency: 'USD' });
    expect(settings.usage).toMatchObject([
      { provider: 'compatible', model: 'small', inputTokens: expect.any(Number) },
    ]);
  });
});
