import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRoom } from '#domain/rooms/contract.ts';
import { heardOf } from '#server/testing/heard-words.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { findRecognizer, type SpeechServer, startRecognizer } from '#server/testing/recognizer.ts';
import { captureTranscript, SpeechClient } from '#server/testing/speech-client.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

const sample = (name: string) =>
  new Uint8Array(readFileSync(new URL(`cutting/samples/${name}.webm`, import.meta.url)));
/** What Chromium recorded of two synthesized voices, with a pause after each sentence. */
const voices: { recording: Uint8Array; said: string[]; ownWord: RegExp }[] = [
  {
    recording: sample('ada-speaks'),
    said: [
      'Good morning and welcome to our quarterly review.',
      'Last month the new dashboard helped your whole team.',
      'I will send you the contract by Friday.',
      'The weather in Hamburg was lovely yesterday.',
    ],
    ownWord: /hamburg/i,
  },
  {
    recording: sample('bo-speaks'),
    said: [
      'Thank you very much for the invitation.',
      'Our people still struggle with the monthly export.',
      'We will review the numbers with our finance department.',
      'My neighbor keeps three chickens in the garden.',
    ],
    ownWord: /chicken/i,
  },
];
const patience = { timeout: 150_000 };

const recognizer = findRecognizer();

// `npm test -- --no-install` tells how to get a recognizer.
describe.skipIf(!recognizer)('a real recognizer', () => {
  let speech: SpeechServer;
  let app: TestApp;
  beforeAll(async () => {
    if (!recognizer) return;
    speech = await startRecognizer(recognizer);
    app = await openTestApp({
      SPEECH_PROVIDER: 'openai-compatible',
      SPEECH_URL: speech.url,
      SPEECH_MODEL: recognizer.engine,
    });
  });
  afterAll(async () => {
    await app?.close();
    speech?.close();
  });

  test('of two who speak at once, at least 95 % of the words are found under the right name', async () => {
    const url = await app.listen();
    const ada = await newOrganization(app);
    const bo = await newMember(app, ada, 'AGENT');
    const { room, call } = await runningCall(ada);
    const speakers = [];
    for (const [index, voice] of voices.entries()) {
      const visitor = index === 0 ? ada : bo;
      const { meetingToken } = await visitor.call(openRoom, { params: { id: room.id } });
      const page = await enter(url, meetingToken);
      speakers.push({ ...voice, visitor, page, meetingToken });
    }
    await captureTranscript(app, call, ...speakers.map(({ page }) => page.id));
    for (const { recording, meetingToken } of speakers) {
      const client = new SpeechClient(url);
      expect(await client.hello(meetingToken)).toBe('ready');
      client.play(recording);
    }
    const lines = async () =>
      (
        await app.owner.query<{ name: string; text: string }>(
          'select name, text from transcript_lines where call_id = $1 order by start_ms',
          [call.id],
        )
      ).rows;
    await expect.poll(async () => (await lines()).length, patience).toBe(8);
    for (const { visitor, said, ownWord } of speakers) {
      const name = `${visitor.user.firstName} ${visitor.user.lastName}`;
      const all = await lines();
      const textOf = (some: typeof all) => some.map(({ text }) => text).join(' ');
      const heard = textOf(all.filter((line) => line.name === name));
      const { share, rounds } = heardOf(said, heard);
      expect(share, heard).toBeGreaterThanOrEqual(recognizer?.leastShare ?? 1);
      expect(rounds, heard).toBeGreaterThan(0.9);
      expect(heard).toMatch(ownWord);
      expect(textOf(all.filter((line) => line.name !== name))).not.toMatch(ownWord);
    }
  }, 200_000);
});
