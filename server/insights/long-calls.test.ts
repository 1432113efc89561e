import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateAiSettings } from '#domain/ai-settings/contract.ts';
import { readInsights } from '#domain/insights/contract.ts';
import { ModelStandIn } from '#server/testing/model-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { endedCall, spokenCall } from '#server/testing/spoken-call.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { generateMissingInsights } from './jobs.ts';

const standIn = new ModelStandIn();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ AI_URL: await standIn.listen(), AI_MODEL: 'small', AI_KEY: 'a key' });
  ada = await newOrganization(app);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});
beforeEach(() => {
  standIn.requests.length = 0;
});

const phrases = 12_000;

/** A call of 300,000 words, the last of which are a question. */
async function longCall() {
  const { id } = await spokenCall(app, ada, [
    { speaker: 'Ada', kind: 'staff', text: 'Good morning, where shall we begin?' },
    { speaker: 'Ben', kind: 'guest', text: 'With the export.' },
  ]);
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms, end_ms,
        language, text, recognizer)
      select gen_random_uuid(), l.org_id, l.call_id, l.participant_id, l.participant_kind, l.name,
        n * 2000, n * 2000 + 1000, 'en',
        case when n = $2 then 'What does the larger plan cost per seat?'
          else repeat('and so we went on, ', 5) || 'said number ' || n end, 'test'
      from transcript_lines l, generate_series(10, $2) n
      where l.call_id = $1 and l.name = case when n % 2 = 0 then 'Ben' else 'Ada' end`,
    [id, phrases],
  );
  await endedCall(app, ada, id);
  await generateMissingInsights(app.services, new Date());
  return ada.call(readInsights, { params: { id } });
}

test('of 300,000 words a model reads the newest, in questions of a bounded length, and the answer says so', async () => {
  await ada.call(updateAiSettings, { body: { provider: null } });
  standIn.react = ({ lines }) => {
    const last = lines.at(-1);
    const cites = [{ ref: last?.ref ?? '?', quote: last?.text ?? '?' }];
    return { summary: [{ text: 'They talked on.', cites }], topics: [], questions: [] };
  };
  const { state, insights, analyzer } = await longCall();
  expect([state, analyzer?.name]).toEqual(['ready', 'compatible']);
  expect(standIn.requests.length).toBeLessThanOrEqual(12);
  expect(Math.max(...standIn.requests.map(({ prompt }) => prompt.length))).toBeLessThan(100_000);
  expect(insights).toMatchObject({ isPartial: true, talk: [{ name: 'Ben' }, { name: 'Ada' }] });
  expect(insights?.summary?.at(-1)?.cites).toMatchObject([
    { kind: 'line', startMs: phrases * 2000, speaker: 'Ben' },
  ]);
});

test('of 300,000 words the built-in analyzer finds the question at the very end', async () => {
  await ada.call(updateAiSettings, { body: { provider: 'offline' } });
  const { state, insights } = await longCall();
  expect(state).toBe('ready');
  expect(standIn.requests).toEqual([]);
  expect(insights?.questions?.at(-1)).toMatchObject({
    isOpen: true,
    cites: [{ startMs: phrases * 2000 }],
  });
});
