// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readChoice } from '../devices/remembered-choice.ts';
import { rememberedKey } from '../devices/remembered-key.ts';
import { FakeTrack } from '../fakes.ts';
import { askForLastChoice } from './last-choice.ts';

const asked: MediaStreamConstraints[] = [];
const given: FakeTrack[] = [];

beforeEach(() => {
  asked.length = 0;
  given.length = 0;
  localStorage.clear();
  const getUserMedia = async (wanted: MediaStreamConstraints) => {
    asked.push(wanted);
    const tracks = [
      ...(wanted.audio ? [new FakeTrack('audio')] : []),
      ...(wanted.video ? [new FakeTrack('video')] : []),
    ];
    given.push(...tracks);
    return { getTracks: () => tracks };
  };
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  vi.stubGlobal('isSecureContext', true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const remember = (choice: object) => localStorage.setItem(rememberedKey, JSON.stringify(choice));

/** The page's first script has run, and the program has loaded. */
async function begin() {
  vi.stubGlobal('rapportStarted', { devices: askForLastChoice() });
  const [{ getDevices }, { forgetEarlyDevices }] = [
    await import('../devices/devices.ts'),
    await import('./early-devices.ts'),
  ];
  /** Requests devices as the meeting does. */
  const ask = () => {
    const { audio, video, ...chosen } = readChoice(localStorage);
    return getDevices({ audio, video }, chosen);
  };
  return { getDevices, forgetEarlyDevices, ask };
}
const states = (tracks: readonly MediaStreamTrack[]) => tracks.map((track) => track.readyState);

test('devices that were requested early are not requested again', async () => {
  remember({ skipPreview: true, audio: true, video: true, cameraId: 'c1' });
  const { ask } = await begin();
  expect((await ask()).tracks).toEqual(given);
  expect(asked).toHaveLength(1);
  await ask();
  expect(asked).toHaveLength(2);
});

test('the first visit requests devices early, too', async () => {
  const { ask } = await begin();
  await ask();
  expect(asked).toHaveLength(1);
});

test('devices that were off are not requested early', async () => {
  remember({ skipPreview: true, audio: false, video: false });
  await begin();
  expect(asked).toEqual([]);
});

test('devices that were opened early for another request are released', async () => {
  const { getDevices } = await begin();
  const { tracks } = await getDevices({ audio: true, video: false }, {});
  await expect.poll(() => states(given.slice(0, 2))).toEqual(['ended', 'ended']);
  expect(states(tracks)).toEqual(['live']);
});

test('devices that were opened early and never used are released', async () => {
  const { forgetEarlyDevices } = await begin();
  forgetEarlyDevices();
  await expect.poll(() => states(given)).toEqual(['ended', 'ended']);
});

test('an invalid stored choice is ignored', async () => {
  remember({ skipPreview: 'yes', audio: true });
  const { ask } = await begin();
  await ask();
  expect(asked.at(-1)).toMatchObject({ audio: {}, video: {} });
});
