import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { notCapturedCode } from '#domain/calls/close-codes.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  answer,
  captureTranscript,
  recordings,
  SpeechClient,
} from '#server/testing/speech-client.ts';
import { SpeechStandIn } from '#server/testing/speech-stand-in.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

const [first, second] = ['We will send the offer by Friday.', 'Please call me back tomorrow.'];

let app: TestApp;
let url: string;
let standIn: SpeechStandIn;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  standIn = await new SpeechStandIn().open();
  app = await openTestApp({
    SPEECH_PROVIDER: 'deepgram',
    SPEECH_URL: standIn.url,
    SPEECH_KEY: standIn.key,
  });
  url = await app.listen();
});
beforeEach(async () => {
  standIn.heard.length = 0;
  standIn.streams.forget();
  // What was said so far: the second phrase is longer.
  standIn.streams.say = (pcm) => (pcm.length < 84_000 ? first : second);
  standIn.say = ({ samples }) => (samples.length < 42_000 ? first : second);
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});

/** Ada's page, and its socket of speech. */
async function speaking() {
  const { meetingToken } = await ada.call(openRoom, { params: { id: started.room.id } });
  const page = await enter(url, meetingToken);
  await captureTranscript(app, started.call, page.id);
  const client = new SpeechClient(url);
  expect(await client.hello(meetingToken)).toBe('ready');
  return { page, client };
}
const lines = async () => {
  const { rows } = await app.owner.query(
    'select text, recognizer, language, start_ms, end_ms from transcript_lines where call_id = $1 order by start_ms',
    [started.call.id],
  );
  return rows;
};

test('words appear while they are said, and become lines of the same times as phrases', async () => {
  const { page, client } = await speaking();
  client.play(recordings.speech);
  await page.until('interim-caption', ({ text }) => text === first);
  await expect.poll(() => page.all('caption').length).toBe(2);
  expect(await lines()).toEqual([
    expect.objectContaining({ text: first, recognizer: 'deepgram/nova-3', language: 'en' }),
    expect.objectContaining({ text: second, recognizer: 'deepgram/nova-3' }),
  ]);
  const [one, other] = await lines();
  expect((one.end_ms - one.start_ms) / 1000).toBeCloseTo(2.2, 0);
  expect((other.start_ms - one.start_ms) / 1000).toBeCloseTo(3.3, 0);
  expect(page.all('interim-caption')[0]).toMatchObject({
    participantId: page.id,
    name: expect.stringMatching(/^First/),
  });
  expect(standIn.heard, 'no phrase was sent a second time').toEqual([]);
  // The pauses are not sent: the file has 8 seconds.
  const sent = Buffer.concat(standIn.streams.newest.bytes).length / 32_000;
  expect(sent).toBeCloseTo(5.2, 0);
});

test('phrases that the stream loses are recognized one by one', async () => {
  standIn.streams.next.push(503, 503);
  const { page, client } = await speaking();
  client.play(recordings.speech);
  await expect.poll(() => page.all('caption').length).toBe(2);
  expect((await lines()).map(({ text }) => text)).toEqual([first, second]);
  expect(standIn.heard).toHaveLength(2);
});

test('noise is not sent', async () => {
  const { page, client } = await speaking();
  client.play(recordings.noise);
  client.play(recordings.speech);
  await expect.poll(() => page.all('caption').length).toBe(2);
  expect(standIn.streams.heard).toHaveLength(1);
});

test('withdrawing ends the stream, and takes the words back that are not a line yet', async () => {
  standIn.streams.answersFinalize = false;
  const { page, client } = await speaking();
  client.play(recordings.speech.slice(0, 9_000));
  await page.until('interim-caption', ({ text }) => text === first);
  const asked = Date.now();
  await answer(app, started.call, page.id, false);
  expect(await client.closed).toBe(notCapturedCode);
  await expect.poll(() => standIn.streams.newest.closedWith).toBe(1006);
  expect(Date.now() - asked).toBeLessThan(1000);
  await page.until('interim-caption', ({ text }) => text === '');
  await page.settled();
  expect(await lines()).toEqual([]);
  expect(standIn.heard).toEqual([]);
});
