import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MkvOutputFormat,
  Output,
} from 'mediabunny';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  partsOf,
  recorded,
  recordedCall,
  recordingOf,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { joinDue } from './join-due.ts';

const seconds = 6 * 3600;
const pictureSeconds = 2;
/** A page sends 10,800 parts of two seconds. */
const parts = seconds / 2;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A picture every two seconds and a sound every second, as a recorder writes them. */
async function sixHours(): Promise<Buffer> {
  const source = new BufferSource(recorded.camera);
  const input = new Input({ source, formats: ALL_FORMATS });
  const [shown, heard] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const picture = shown && (await new EncodedPacketSink(shown).getFirstKeyPacket());
  const sound = heard && (await new EncodedPacketSink(heard).getPacket(3));
  const ofPicture = await shown?.getDecoderConfig();
  const ofSound = await heard?.getDecoderConfig();
  if (!picture || !sound || !ofPicture || !ofSound) {
    throw new Error('the clip has no picture or no sound');
  }
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat({ appendOnly: true }), target });
  const video = new EncodedVideoPacketSource('avc');
  const audio = new EncodedAudioPacketSource('opus');
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  for (let timestamp = 0; timestamp < seconds; timestamp += 1) {
    const isPicture = timestamp % pictureSeconds === 0;
    await Promise.all([
      isPicture &&
        video.add(picture.clone({ timestamp, duration: pictureSeconds }), {
          decoderConfig: ofPicture,
        }),
      audio.add(sound.clone({ timestamp }), { decoderConfig: ofSound }),
    ]);
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
}

test('a call of six hours plays from any second of its last hour, and its whole sound is drawn', {
  tags: 'full',
  timeout: 60_000,
}, async () => {
  const here = await recordedCall(app);
  await uploadSegment(app, await here.join('Bo'), partsOf(await sixHours(), parts));
  await app.owner.query(
    `update calls set started_at = now() - interval '6 hours', ended_at = now(), duration_sec = $2 where id = $1`,
    [here.call.id, seconds],
  );
  await joinDue(app.services);
  const { people, state } = await recordingOf(here.ada, here.call.id);
  const [file] = people.flatMap(({ tracks }) => tracks.flatMap(({ files }) => files));
  expect(state).toBe('ready');
  expect(file?.durationMs).toBeGreaterThanOrEqual((seconds - 1) * 1000);
  expect(file?.waveform).toHaveLength((seconds - 1) * 10 + 1);
  expect(file?.waveform.at(-1)).toBeGreaterThan(0);

  const { rawPayload: bytes } = await app.http.inject({ url: file?.url ?? '/none' });
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const joined = await input.getPrimaryVideoTrack();
  for (const second of [18_001, 20_000, seconds - 1]) {
    const packet = joined && (await new EncodedPacketSink(joined).getKeyPacket(second));
    expect(packet?.timestamp).toBe(second - (second % pictureSeconds));
  }
});
