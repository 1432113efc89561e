// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { FakeTrack } from '../fakes.ts';
import { LocalMedia } from './local-media.ts';
import { watchAccess } from './watch-access.ts';

class Status extends EventTarget {
  state: PermissionState = 'denied';
}
const statuses = { camera: new Status(), microphone: new Status() };
let refusal: string | null;
let stop = () => {};

async function refused(name: string) {
  refusal = name;
  statuses.camera.state = statuses.microphone.state = 'denied';
  const getUserMedia = async (wish: MediaStreamConstraints) => {
    if (refusal) throw new DOMException('', refusal);
    const tracks = (['audio', 'video'] as const)
      .filter((kind) => wish[kind])
      .map((kind) => new FakeTrack(kind));
    return { getTracks: () => tracks };
  };
  const query = async ({ name: of }: { name: 'camera' | 'microphone' }) => statuses[of];
  vi.stubGlobal('navigator', {
    mediaDevices: { getUserMedia, enumerateDevices: async () => [] },
    permissions: { query },
  });
  vi.stubGlobal('MediaStream', class {});
  const media = new LocalMedia({ audio: true, video: true }, {});
  await media.start();
  stop = watchAccess(media);
  await new Promise((resolve) => setTimeout(resolve));
  return media;
}
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const noProblem = (media: LocalMedia) =>
  vi.waitFor(() => expect(media.getSnapshot().problems).toEqual({}));

test('a device that the browser blocked is used as soon as it is allowed', async () => {
  const media = await refused('NotAllowedError');
  expect(media.getSnapshot().problems).toEqual({ audio: 'blocked', video: 'blocked' });
  refusal = null;
  statuses.camera.state = statuses.microphone.state = 'granted';
  statuses.camera.dispatchEvent(new Event('change'));
  await noProblem(media);
  expect(media.sent).toEqual({ audio: true, video: true });
});

test('a device that another program used is requested when the page gets focus again', async () => {
  const media = await refused('NotReadableError');
  dispatchEvent(new Event('focus'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(media.getSnapshot().problems).toEqual({ audio: 'busy', video: 'busy' });
  refusal = null;
  dispatchEvent(new Event('focus'));
  await noProblem(media);
});

test('focus does not request again a device that the person refused', async () => {
  const media = await refused('NotAllowedError');
  refusal = null;
  dispatchEvent(new Event('focus'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(media.getSnapshot().problems).toEqual({ audio: 'blocked', video: 'blocked' });
});
