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

test('a device that is starting is sent as on, so that the others expect its track', async () => {
  const media = new LocalMedia({ audio: true, video: false }, {});
  const starting = media.start();
  expect(media.sent).toEqual({ audio: true, video: false });
  await starting;
  expect(media.sent).toEqual({ audio: true, video: false });
});

test('devices that wait for a promise are sent as on, and are requested afterwards as wanted by then', async () => {
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

test('a page that leaves before that requests no device', async () => {
  const media = new LocalMedia({ audio: true, video: true }, {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const starting = media.start(promise);
  media.stop();
  resolve();
  await starting;
  expect(given).toEqual([]);
});

test('a microphone that is missing is sent as off', async () => {
  answer = async () => {
    throw new DOMException('', 'NotFoundError');
  };
  const media = await started({ audio: true, video: false });
  expect(media.sent.audio).toBe(false);
  expect(media.getSnapshot().problems).toEqual({ audio: 'missing' });
});

test('muting disables the microphone track and keeps it open', async () => {
  const media = await started();
  await media.switch('audio', false);
  expect(media.tracks.audio?.enabled).toBe(false);
  expect(media.tracks.audio?.readyState).toBe('live');
  expect(media.sent.audio).toBe(false);
});

test('a camera that is turned off is released', async () => {
  const media = await started();
  const camera = media.tracks.video;
  await media.switch('video', false);
  expect(camera?.readyState).toBe('ended');
  expect(media.tracks.video).toBeNull();
  await media.switch('video', true);
  expect(media.tracks.video?.readyState).toBe('live');
});

test('a device that arrives after leaving is released', async () => {
  const media = new LocalMedia({ audio: true, video: true }, {});
  const starting = media.start();
  media.stop();
  await starting;
  expect(given).toHaveLength(2);
  expect(given.every((track) => track.readyState === 'ended')).toBe(true);
  expect(media.tracks).toEqual({ audio: null, video: null });
});

test('going on without a device clears the wish and the problem', async () => {
  answer = async () => {
    throw new DOMException('', 'NotFoundError');
  };
  const media = await started();
  media.doWithout(['video']);
  expect(media.getSnapshot().problems).toEqual({ audio: 'missing' });
  expect(media.getSnapshot().wished).toEqual({ audio: true, video: false });
});
