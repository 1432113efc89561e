import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  partsOf,
  recorded,
  recordedCall,
  recordingOf,
  sendPoster,
  uploadSegment,
} from '#server/testing/recorded-call.ts';
import { joinDue } from './join-due.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

type Here = Awaited<ReturnType<typeof recordedCall>>;
const vp8 = { mimeType: 'video/webm;codecs=vp8,opus' };
const upload = async (here: Here, bytes = recorded.vp8) =>
  uploadSegment(app, await here.join('Bo'), partsOf(bytes, 3), vp8);
const fileOf = async ({ ada, call }: Here) =>
  (await recordingOf(ada, call.id)).people
    .flatMap(({ tracks }) => tracks)
    .flatMap(({ files }) => files)[0];

/** Returns size and mean color of the poster; null without one. */
async function posterOf(here: Here) {
  const url = (await fileOf(here))?.posterUrl;
  if (!url) return null;
  const { headers, rawPayload } = await app.http.inject({ url });
  expect(headers['content-type']).toBe('image/jpeg');
  const { width, height } = await sharp(rawPayload).metadata();
  const { channels } = await sharp(rawPayload).stats();
  return { width, height, color: channels.map(({ mean }) => Math.round(mean / 255)) };
}
const [black, red, green] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];

test('a recording in VP8 whose page sent no poster has a picture of its first seconds', async () => {
  const here = await recordedCall(app);
  await upload(here);
  await joinDue(app.services);
  // It begins black.
  expect(await posterOf(here)).toEqual({ width: 160, height: 120, color: red });
});

test('the poster that a page sent stays', async () => {
  const here = await recordedCall(app);
  const drawn = sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } });
  await sendPoster(app, await upload(here), await drawn.jpeg().toBuffer());
  await joinDue(app.services);
  expect(await posterOf(here)).toMatchObject({ color: green });
});

test('nothing after a withdrawal is shown', async () => {
  const here = await recordedCall(app);
  const { segmentId } = await upload(here);
  await app.owner.query(
    `update recorded_segments set keep_until = started_at + interval '1 second' where id = $1`,
    [segmentId],
  );
  await joinDue(app.services);
  expect(await posterOf(here)).toMatchObject({ color: black });
});

test('other codecs, damaged pictures, and a full store leave a recording without a poster', async () => {
  const codecs = await recordedCall(app);
  await upload(codecs, recorded.camera);
  const damaged = await recordedCall(app);
  const start = recorded.vp8.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  const bytes = Buffer.from(recorded.vp8);
  for (let at = start; at >= 0; at = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]), at)) {
    bytes.fill(0xff, at, at + 3);
  }
  await upload(damaged, bytes);
  await joinDue(app.services);
  const full = await recordedCall(app);
  await upload(full);
  const { put } = app.services.files;
  const refused = vi.spyOn(app.services.files, 'put').mockImplementation((key, ...more) => {
    if (key.endsWith('/poster')) throw new Error('the store is full');
    return put(key, ...more);
  });
  await joinDue(app.services);
  refused.mockRestore();
  for (const here of [codecs, damaged, full])
    expect(await fileOf(here)).toMatchObject({ state: 'ready', posterUrl: null });
});
