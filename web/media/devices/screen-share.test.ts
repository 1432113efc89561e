// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { FakeTrack } from '../fakes.ts';
import { ScreenShare } from './screen-share.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const withScreen = (getDisplayMedia: () => Promise<MediaStream>) =>
  vi.stubGlobal('navigator', { mediaDevices: { getDisplayMedia } });

const screenOf = (...tracks: FakeTrack[]): MediaStream =>
  Object.assign(new MediaStream(), {
    getTracks: () => tracks,
    getVideoTracks: () => tracks.filter(({ kind }) => kind === 'video'),
    getAudioTracks: () => tracks.filter(({ kind }) => kind === 'audio'),
  });

test('video and audio of the screen are sent until sharing stops', async () => {
  const [picture, sound] = [new FakeTrack('video'), new FakeTrack('audio')];
  withScreen(async () => screenOf(picture, sound));
  const share = new ScreenShare();
  const changed = vi.fn();
  share.onTracks(changed);
  await share.start();
  expect(share.tracks).toEqual({ screen: picture, screenAudio: sound });
  expect(picture.contentHint).toBe('detail');
  share.stop();
  expect(share.tracks).toEqual({ screen: null, screenAudio: null });
  expect([picture.readyState, sound.readyState]).toEqual(['ended', 'ended']);
  expect(changed).toHaveBeenCalledTimes(2);
});

test('closing the shared window, or the browser’s own button, ends the share', async () => {
  const picture = new FakeTrack('video');
  withScreen(async () => screenOf(picture));
  const share = new ScreenShare();
  await share.start();
  Reflect.apply(picture.onended ?? expect.fail('nobody looks'), picture, []);
  expect(share.getSnapshot().stream).toBe(null);
});

test('a canceled share is not reported; a share that the system denies is reported as blocked', async () => {
  const share = new ScreenShare();
  withScreen(() => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')));
  await share.start();
  expect(share.getSnapshot()).toEqual({ stream: null, blocked: false });
  withScreen(() => Promise.reject(new DOMException('Denied by system', 'NotAllowedError')));
  await share.start();
  expect(share.getSnapshot()).toEqual({ stream: null, blocked: true });
});
