import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { erasePerson } from '#domain/privacy/contract.ts';
import { deleteRecording, removeFromRecording } from '#domain/recordings/contract.ts';
import { joinDue } from '#server/recordings/join/join-due.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  partsOf,
  type RecordedParticipant,
  recordedCall,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { answer, captureTranscript, recordings } from '#server/testing/speech-client.ts';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { newMember } from '#server/testing/visitor.ts';
import { alignDue } from './align-due.ts';

const standIn = new SpeechStandIn();
let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
beforeAll(async () => {
  await standIn.open();
  app = await openTestApp({
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_URL: standIn.url,
    SPEECH_KEY: standIn.key,
  });
});
beforeEach(async () => {
  standIn.heard.length = 0;
  here = await recordedCall(app);
  await app.owner.query(
    `update calls set started_at = now() - interval '10 minutes' where id = $1`,
    [here.call.id],
  );
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});

/** Bo's recording of a call that is over, whose phrases were missed while it ran. */
async function missed(bo: RecordedParticipant): Promise<void> {
  await captureTranscript(app, here.call);
  await answer(app, here.call, bo.id, true);
  const parts = partsOf(Buffer.from(recordings.speech), 3);
  await uploadSegment(app, bo, parts, { mimeType: 'audio/webm;codecs=opus', hasVideo: false });
  await joinDue(app.services);
  await app.owner.query(
    `update calls set ended_at = now() - interval '1 minute', duration_sec = 540 where id = $1`,
    [here.call.id],
  );
}

/** Returns the lines after the first phrase was recognized while `act` was done. */
async function linesOnce(act: () => Promise<unknown>): Promise<unknown[]> {
  standIn.next.push('hang');
  const aligning = alignDue(app.services);
  await vi.waitFor(() => expect(standIn.heard).toHaveLength(1), 20_000);
  await act();
  standIn.answerHanging();
  await aligning;
  const { rows } = await app.owner.query('select name from transcript_lines where call_id = $1', [
    here.call.id,
  ]);
  return rows;
}

const guests: [string, (bo: RecordedParticipant) => Promise<unknown>][] = [
  ['guest is erased', () => here.ada.call(erasePerson, { body: { guest: 'Bo' } })],
  ['recording is deleted', () => here.ada.call(deleteRecording, { params: { id: here.call.id } })],
  [
    'guest is removed from the recording',
    ({ id: participantId }) =>
      here.ada.call(removeFromRecording, { params: { id: here.call.id, participantId } }),
  ],
  ['guest withdraws', ({ id }) => answer(app, here.call, id, false)],
];
test.each(guests)(
  'R25-A6: once a %s, nothing more of the file is recognized or stored',
  async (_, end) => {
    const bo = await here.join('Bo');
    await missed(bo);
    expect(await linesOnce(() => end(bo))).toEqual([]);
    expect(standIn.heard).toHaveLength(1);
  },
);

test('R25-A6: once a member is erased, nothing more of the file is recognized or stored', async () => {
  const member = await newMember(app, here.ada, 'AGENT');
  await missed(await here.join('Bo', member.user.id));
  const body = { userId: member.user.id };
  expect(await linesOnce(() => here.ada.call(erasePerson, { body }))).toEqual([]);
  expect(standIn.heard).toHaveLength(1);
});
