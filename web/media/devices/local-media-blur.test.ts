// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Blurred, BlurTrouble } from '../blur/blur-camera.ts';
import { FakeTrack } from '../fakes.ts';
import { LocalMedia } from './local-media.ts';

type Begun = {
  camera: MediaStreamTrack;
  blurred: Blurred;
  onTrouble: (trouble: BlurTrouble) => void;
};
const begun: Begun[] = [];
let begin: () => Promise<void>;

vi.mock('../blur/blur-camera.ts', () => ({
  blurCamera: async (camera: MediaStreamTrack, onTrouble: Begun['onTrouble']) => {
    await begin();
    const track = new FakeTrack('video');
    const blurred = { track, stop: () => track.stop() };
    begun.push({ camera, blurred, onTrouble });
    return blurred;
  },
}));

beforeEach(() => {
  begun.length = 0;
  begin = async () => {};
  const getUserMedia = async (wish: MediaStreamConstraints) => {
    const kinds = (['audio', 'video'] as const).filter((kind) => wish[kind]);
    const tracks = kinds.map((kind) => new FakeTrack(kind));
    return { getTracks: () => tracks };
  };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices: async () => [] } });
  vi.stubGlobal('MediaStream', class {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const both = { audio: true, video: true };
const last = () => {
  const one = begun.at(-1);
  if (!one) throw new Error('nothing was blurred');
  return one;
};

test('with blur remembered, audio is sent immediately, and camera video only after it is blurred', async () => {
  const blurring = Promise.withResolvers<void>();
  begin = () => blurring.promise;
  const media = new LocalMedia(both, { blur: true });
  const sent: (MediaStreamTrack | null)[] = [];
  const heard = Promise.withResolvers<void>();
  media.onTracks(() => {
    sent.push(media.tracks.video);
    if (media.tracks.audio) heard.resolve();
  });
  const starting = media.start();
  await heard.promise;
  expect(media.tracks.video).toBeNull();
  expect(media.sent).toEqual(both);
  blurring.resolve();
  await starting;
  expect(media.tracks.video).toBe(last().blurred.track);
  expect(sent).not.toContain(last().camera);
});

test('blur turned on in a call replaces the camera video without a gap, and back', async () => {
  const media = new LocalMedia(both, {});
  await media.start();
  const camera = media.tracks.video;
  const blurring = media.blur(true);
  expect(media.tracks.video).toBe(camera);
  await blurring;
  const { blurred } = last();
  expect(media.tracks.video).toBe(blurred.track);
  expect(media.getSnapshot()).toMatchObject({ blur: 'on', chosen: { blur: true } });
  await media.blur(false);
  expect(media.tracks.video).toBe(camera);
  expect(camera?.readyState).toBe('live');
  expect(blurred.track.readyState).toBe('ended');
});

test('blur turned off before it has started leaves the camera as it is', async () => {
  const media = new LocalMedia(both, {});
  await media.start();
  const camera = media.tracks.video;
  const blurring = Promise.withResolvers<void>();
  begin = () => blurring.promise;
  const on = media.blur(true);
  await media.blur(false);
  blurring.resolve();
  await on;
  expect(media.tracks.video).toBe(camera);
  expect(last().blurred.track.readyState).toBe('ended');
  expect(media.getSnapshot().blurTrouble).toBeNull();
});

test('another camera is blurred too, and turning the camera off ends both tracks', async () => {
  const media = new LocalMedia(both, { blur: true });
  await media.start();
  const first = last();
  await media.choose('video', 'other');
  expect(last().camera).not.toBe(first.camera);
  expect([first.camera.readyState, first.blurred.track.readyState]).toEqual(['ended', 'ended']);
  await media.switch('video', false);
  expect([last().camera.readyState, last().blurred.track.readyState]).toEqual(['ended', 'ended']);
  expect(media.tracks.video).toBeNull();
});

test('a machine that is too slow turns blur off with a notice, and the camera stays on', async () => {
  const media = new LocalMedia(both, { blur: true });
  await media.start();
  last().onTrouble('slow');
  expect(media.tracks.video).toBe(last().camera);
  expect(media.getSnapshot()).toMatchObject({
    blur: 'off',
    blurTrouble: 'slow',
    chosen: { blur: false },
  });
});

test('a blur that cannot start turns the camera off, and no camera video is sent', async () => {
  begin = async () => {
    throw new Error('no model');
  };
  const media = new LocalMedia(both, { blur: true });
  await media.start();
  expect(media.tracks.video).toBeNull();
  expect(media.sent).toEqual({ audio: true, video: false });
  expect(media.getSnapshot()).toMatchObject({ blurTrouble: 'failedUnseen', camera: null });
});

test('a blur that fails later stops the camera video', async () => {
  const media = new LocalMedia(both, { blur: true });
  await media.start();
  last().onTrouble('failed');
  expect(media.tracks.video).toBeNull();
  expect(media.getSnapshot().blurTrouble).toBe('failedUnseen');
});
