// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { FakeTrack } from '../fakes.ts';
import { getDevices } from './devices.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

type Answer = (constraints: MediaStreamConstraints) => FakeTrack[];

/** Stubs getUserMedia with this answer. Returns the constraints that it was called with. */
function browser(answer: Answer, permissions: Record<string, PermissionState> = {}) {
  const asked: MediaStreamConstraints[] = [];
  const getUserMedia = async (constraints: MediaStreamConstraints) => {
    asked.push(constraints);
    const tracks = answer(constraints);
    return { getTracks: () => tracks };
  };
  const query = async ({ name }: { name: string }) => ({ state: permissions[name] ?? 'prompt' });
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia }, permissions: { query } });
  vi.stubGlobal('isSecureContext', true);
  return asked;
}

function all({ audio, video }: MediaStreamConstraints): FakeTrack[] {
  return [...(audio ? [new FakeTrack('audio')] : []), ...(video ? [new FakeTrack('video')] : [])];
}
const fail = (name: string, message = ''): never => {
  throw new DOMException(message, name);
};
const both = { audio: true, video: true };
const kinds = (got: { tracks: MediaStreamTrack[] }) => got.tracks.map((track) => track.kind);

test('requests microphone and camera together', async () => {
  const asked = browser(all);
  const got = await getDevices(both, {});
  expect(kinds(got)).toEqual(['audio', 'video']);
  expect(asked).toHaveLength(1);
});

test('a missing camera does not prevent the use of the microphone', async () => {
  browser((wish) => (wish.video ? fail('NotFoundError') : all(wish)));
  const got = await getDevices(both, {});
  expect(kinds(got)).toEqual(['audio']);
  expect(got.problems).toEqual({ video: 'missing' });
});

test('a camera that another program uses does not prevent the use of the microphone', async () => {
  browser((wish) => (wish.video ? fail('NotReadableError') : all(wish)));
  expect((await getDevices(both, {})).problems).toEqual({ video: 'busy' });
});

test('without any device there are no tracks, and both are missing', async () => {
  browser(() => fail('NotFoundError'));
  const got = await getDevices(both, {});
  expect(got).toEqual({ tracks: [], problems: { audio: 'missing', video: 'missing' } });
});

test('a dismissed prompt is not shown again for each device', async () => {
  const asked = browser(() => fail('NotAllowedError', 'Permission dismissed'));
  const got = await getDevices(both, {});
  expect(asked).toHaveLength(1);
  expect(got.problems).toEqual({ audio: 'dismissed', video: 'dismissed' });
});

test('a device that is allowed already is used even if the other is blocked', async () => {
  const permissions = { microphone: 'granted', camera: 'denied' } as const;
  browser((wish) => (wish.video ? fail('NotAllowedError') : all(wish)), permissions);
  const got = await getDevices(both, {});
  expect(kinds(got)).toEqual(['audio']);
  expect(got.problems).toEqual({ video: 'blocked' });
});

test('a remembered device is an ideal constraint, a chosen one exact', async () => {
  const asked = browser(all);
  await getDevices({ audio: true, video: false }, { microphoneId: 'm' });
  await getDevices({ audio: true, video: false }, { microphoneId: 'm' }, true);
  expect(asked[0]?.audio).toMatchObject({ deviceId: { ideal: 'm' } });
  expect(asked[1]?.audio).toMatchObject({ deviceId: { exact: 'm' } });
});

test('an insecure address is reported without a request', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('isSecureContext', false);
  expect((await getDevices(both, {})).problems).toEqual({ audio: 'insecure', video: 'insecure' });
});
