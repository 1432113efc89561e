import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateAiSettings } from '#domain/ai-settings/contract.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import { deleteRecording } from '#domain/recordings/contract.ts';
import { ModelStandIn } from '#server/testing/model-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { endedCall, spokenCall } from '#server/testing/spoken-call.ts';
import { storeConsent } from '#server/testing/stored-consent.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { generateMissingInsights } from './jobs.ts';

const standIn = new ModelStandIn();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ AI_URL: await standIn.listen(), AI_MODEL: 'small', AI_KEY: 'a key' });
});
beforeEach(async () => {
  standIn.requests.length = 0;
  ada = await newOrganization(app);
  await ada.call(updateAiSettings, { body: { provider: null } });
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});

/** A call of which a model reads several parts. */
async function longCall(): Promise<{ id: CallId; ben: ParticipantId }> {
  const { id } = await spokenCall(app, ada, [
    { speaker: 'Ada', kind: 'staff', text: 'Good morning.' },
    { speaker: 'Ben', kind: 'guest', text: 'With the export.' },
  ]);
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name,
        start_ms, end_ms, language, text, recognizer)
      select gen_random_uuid(), l.org_id, l.call_id, l.participant_id, l.participant_kind, l.name,
        n * 2000, n * 2000 + 1000, 'en', repeat('and so we went on, ', 5) || 'said number ' || n, 'test'
      from transcript_lines l, generate_series(10, 3000) n
      where l.call_id = $1 and l.name = case when n % 2 = 0 then 'Ben' else 'Ada' end`,
    [id],
  );
  await endedCall(app, ada, id);
  const { rows } = await app.owner.query(
    `select participant_id as ben from transcript_lines where call_id = $1 and name = 'Ben' limit 1`,
    [id],
  );
  return { id, ben: rows[0].ben };
}

const answerTo = (lines: readonly { ref: string; text: string }[]) => {
  const { ref = '?', text: quote = '?' } = lines.at(-1) ?? {};
  return {
    summary: [{ text: 'They talked on.', cites: [{ ref, quote }] }],
    topics: [],
    questions: [],
  };
};

test('a long call is sent in several parts', async () => {
  await longCall();
  standIn.react = async ({ lines }) => answerTo(lines);
  await generateMissingInsights(app.services, new Date());
  expect(standIn.requests.length).toBeGreaterThan(1);
});

const ends: [string, (call: { id: CallId; ben: ParticipantId }) => Promise<unknown>][] = [
  [
    'someone withdraws',
    ({ id, ben }) =>
      storeConsent(app, { callId: id, participantId: ben, asked: ['analysis'], agreed: [] }),
  ],
  ['the transcript is deleted', ({ id }) => ada.call(deleteRecording, { params: { id } })],
  [
    'the model is switched off',
    () => ada.call(updateAiSettings, { body: { provider: 'offline' } }),
  ],
];
test.each(ends)(
  'R25-A8: once %s, no further part of a call is sent to the model',
  async (_, end) => {
    const call = await longCall();
    let isOver = false;
    standIn.react = async ({ lines }) => {
      if (!isOver) await end(call);
      isOver = true;
      return answerTo(lines);
    };
    await generateMissingInsights(app.services, new Date());
    expect([isOver, standIn.requests.length]).toEqual([true, 1]);
  },
);
