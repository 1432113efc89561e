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

/** The page's first script has run; then comes the program. */
async function begin() {
  vi.stubGlobal('rapportStarted', { devices: askForLastChoice() });
  const [{ getDevices }, { forgetEarlyDevices }] = [
    await import('../devices/devices.ts'),
    await import('./early-devices.ts'),
  ];
  /** As the meeting asks. */
  const ask = () => {
    const { audio, video, ...chosen } = readChoice(localStorage);
    return getDevices({ audio, video }, chosen);
  };
  return { getDevices, forgetEarlyDevices, ask };
}
const states = (tracks: readonly MediaStreamTrack[]) => tracks.map((track) => track.readyState);

test('what was asked early is not asked again', async () => {
  remember({ skipPreview: true, audio: true, video: true, cameraId: 'c1' });
  const { ask } = await begin();
  expect((await ask()).tracks).toEqual(given);
  expect(asked).toHaveLength(1);
  await ask();
  expect(asked).toHaveLength(2);
});

test('at the first visit too', async () => {
  const { ask } = await begin();
  await ask();
  expect(asked).toHaveLength(1);
});

test('nothing is asked early of devices that were off', async () => {
  remember({ skipPreview: true, audio: false, video: false });
  await begin();
  expect(asked).toEqual([]);
});

test('devices that were opened early for something else are given back', async () => {
  const { getDevices } = await begin();
  const { tracks } = await getDevices({ audio: true, video: false }, {});
  await expect.poll(() => states(given.slice(0, 2))).toEqual(['ended', 'ended']);
  expect(states(tracks)).toEqual(['live']);
});

test('devices that were opened early for nobody are given back', async () => {
  const { forgetEarlyDevices } = await begin();
  forgetEarlyDevices();
  await expect.poll(() => states(given)).toEqual(['ended', 'ended']);
});

test('what the storage holds of another kind is not taken for a choice', async () => {
  remember({ skipPreview: 'yes', audio: true });
  const { ask } = await begin();
  await ask();
  expect(asked.at(-1)).toMatchObject({ audio: {}, video: {} });
});
