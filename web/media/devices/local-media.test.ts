// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeTrack } from '../fakes.ts';
import { LocalMedia } from './local-media.ts';

let given: FakeTrack[] = [];
let answer: (wish: MediaStreamConstraints) => Promise<FakeTrack[]>;

beforeEach(() => {
  given = [];
  answer = async (wish) => {
    const tracks = (['audio', 'video'] as const)
      .filter((kind) => wish[kind])
      .map((kind) => new FakeTrack(kind));
    given.push(...tracks);
    return tracks;
  };
  const getUserMedia = async (wish: MediaStreamConstraints) => {
    const tracks = await answer(wish);
    return { getTracks: () => tracks };
  };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices: async () => [] } });
  vi.stubGlobal('MediaStream', class {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const started = async (wished = { audio: true, video: true }) => {
  const media = new LocalMedia(wished, {});
  await media.start();
  return media;
};

test('what is on its way is told as on, so that the others wait for a picture', async () => {
  const media = new LocalMedia({ audio: true, video: false }, {});
  const starting = media.start();
  expect(media.sent).toEqual({ audio: true, video: false });
  await starting;
  expect(media.sent).toEqual({ audio: true, video: false });
});

test('devices that wait for what comes first are told as on, and asked for then with what is wished then', async () => {
  const media = new LocalMedia({ audio: true, video: true }, {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const starting = media.start(promise);
  expect(media.sent).toEqual({ audio: true, video: true });
  await media.switch('video', false);
  expect(given).toEqual([]);
  resolve();
  await starting;
  expect(given.map(({ kind }) => kind)).toEqual(['audio']);
});

test('who leaves meanwhile is asked for nothing', async () => {
  const media = new LocalMedia({ audio: true, video: true }, {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const starting = media.start(promise);
  media.stop();
  resolve();
  await starting;
  expect(given).toEqual([]);
});

test('a microphone that could not be had is told as off', async () => {
  answer = async () => {
    throw new DOMException('', 'NotFoundError');
  };
  const media = await started({ audio: true, video: false });
  expect(media.sent.audio).toBe(false);
  expect(media.getSnapshot().problems).toEqual({ audio: 'missing' });
});

test('muting keeps the microphone and silences it', async () => {
  const media = await started();
  await media.switch('audio', false);
  expect(media.tracks.audio?.enabled).toBe(false);
  expect(media.tracks.audio?.readyState).toBe('live');
  expect(media.sent.audio).toBe(false);
});

test('a camera that is turned off is given back', async () => {
  const media = await started();
  const camera = media.tracks.video;
  await media.switch('video', false);
  expect(camera?.readyState).toBe('ended');
  expect(media.tracks.video).toBeNull();
  await media.switch('video', true);
  expect(media.tracks.video?.readyState).toBe('live');
});

test('a device that comes after leaving is given back at once', async () => {
  const media = new LocalMedia({ audio: true, video: true }, {});
  const starting = media.start();
  media.stop();
  await starting;
  expect(given).toHaveLength(2);
  expect(given.every((track) => track.readyState === 'ended')).toBe(true);
  expect(media.tracks).toEqual({ audio: null, video: null });
});

test('going on without a device takes the wish and its notice away', async () => {
  answer = async () => {
    throw new DOMException('', 'NotFoundError');
  };
  const media = await started();
  media.doWithout(['video']);
  expect(media.getSnapshot().problems).toEqual({ audio: 'missing' });
  expect(media.getSnapshot().wished).toEqual({ audio: true, video: false });
});
