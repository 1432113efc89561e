import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFullRun } from '#server/testing/full-run.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import {
  hasLiveKit,
  type LiveKitNode,
  liveKitSettings,
  startLiveKit,
} from '../support/livekit-server.ts';
import { personCamera } from '../support/person-camera.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { sharedProgram } from '../support/shared-program.ts';

const remote = 'li.tile:not([data-own]) video';

/** How much neighboring pixels differ, in the background and in the face. */
const sharpness = (page: Page, selector: string) =>
  page.evaluate((css) => {
    const video = document.querySelector(css);
    const context = new OffscreenCanvas(320, 180).getContext('2d');
    if (!(video instanceof HTMLVideoElement) || video.videoWidth === 0 || !context) return null;
    context.drawImage(video, 0, 0, 320, 180);
    const edges = (left: number, top: number, width: number, height: number) => {
      const { data } = context.getImageData(left, top, width, height);
      let sum = 0;
      for (let at = 4; at < data.length; at += 4)
        sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
      return sum / (width * height);
    };
    const { totalVideoFrames: frames } = video.getVideoPlaybackQuality();
    return { wall: edges(8, 10, 70, 90), face: edges(138, 60, 44, 44), frames };
  }, selector);

const wall = async (page: Page, selector: string) => (await sharpness(page, selector))?.wall ?? -1;

async function join(person: Person, url: string, name: string): Promise<Page> {
  const { page } = person;
  await page.goto(url);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.locator('.tile[data-own]').waitFor();
  return page;
}

async function turnBlur(page: Page, on: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Device settings' }).click();
  await page.getByRole('checkbox', { name: 'Blur my background' }).setChecked(on);
  await page.locator(`label[data-blur=${on ? 'on' : 'off'}]`).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
}

const direct = { engine: 'from browser to browser', skipped: false };
const byLiveKit = { engine: 'through LiveKit', skipped: !hasLiveKit() };
describe.each(inFullRun([direct, byLiveKit], [direct]))('$engine', ({ engine, skipped }) => {
  let program: Program;
  let liveKit: LiveKitNode | null = null;
  let prepared: Prepared;
  const open: Person[] = [];
  beforeAll(async () => {
    if (skipped) return;
    if (engine === 'through LiveKit') liveKit = await startLiveKit();
    program = await startProgram(
      liveKit ? { VIDEO_PROVIDER: 'livekit', ...liveKitSettings(liveKit) } : {},
    );
    prepared = await prepareRoom(program.url, 'Blur');
  });
  afterAll(async () => {
    await Promise.all(open.map((person) => person.close()));
    if (program) await discard(program);
    await liveKit?.kill();
  });

  test.skipIf(skipped)(
    'the others see the person and a blurred background, in the same video element',
    async () => {
      const ada = await openBrowser({ cameraFile: await personCamera(), width: 900, height: 640 });
      const bo = await openBrowser({ camera: 'blue', width: 900, height: 640 });
      open.push(ada, bo);
      await join(bo, prepared.guestUrl, 'Bo');
      await join(ada, prepared.guestUrl, 'Ada');
      await expect.poll(() => wall(bo.page, remote)).toBeGreaterThan(15);
      const before = await sharpness(bo.page, remote);
      await bo.page.locator(remote).evaluate((video) => video.setAttribute('data-first', ''));

      await turnBlur(ada.page, true);
      const same = `${remote}[data-first]`;
      await expect.poll(() => wall(bo.page, same)).toBeLessThan(5);
      const blurred = await sharpness(bo.page, same);
      expect(blurred?.face).toBeGreaterThan((before?.face ?? 0) / 3);
      await expect
        .poll(async () => (await sharpness(bo.page, same))?.frames)
        .toBeGreaterThan((blurred?.frames ?? 0) + 20);

      await turnBlur(ada.page, false);
      await expect.poll(() => wall(bo.page, same)).toBeGreaterThan(15);
      expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
    },
  );
});

describe('before the call', () => {
  const program = sharedProgram();
  let prepared: Prepared;
  let ada: Person;
  beforeAll(async () => {
    prepared = await prepareRoom(program.url, 'Blur');
    ada = await openBrowser({ cameraFile: await personCamera(), width: 390, height: 844 });
  });
  afterAll(async () => {
    await ada?.close();
  });

  test('blur is off by default, loaded only on first use, and remembered', async () => {
    const { page } = ada;
    const preview = '.preview-picture video';
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const ofBlur = () => loaded.filter((url) => /wasm|tflite|blur-/.test(url));
    await page.goto(prepared.guestUrl);
    await expect.poll(() => wall(page, preview)).toBeGreaterThan(15);
    const blur = page.getByRole('button', { name: 'Blur my background' });
    expect(await blur.getAttribute('aria-pressed')).toBe('false');
    expect(ofBlur()).toEqual([]);
    await blur.click();
    await expect.poll(() => wall(page, preview)).toBeLessThan(5);
    expect(ofBlur().every((url) => url.startsWith(program.url))).toBe(true);

    await page.reload();
    await page.locator('[data-control=blur][data-blur=on]').waitFor();
    await expect.poll(() => wall(page, preview)).toBeLessThan(5);
    expect(ada.complaints).toEqual([]);
  });

  test('if blur cannot be loaded the camera stays off, with a notice that says what to do', async () => {
    const { page } = ada;
    await page.route('**/*.tflite', (route) => route.abort());
    await page.reload();
    await page.getByText(/^We couldn’t blur your background, so your camera is off/).waitFor();
    await page.getByText('Your camera is off', { exact: true }).waitFor();
    await page.unroute('**/*.tflite');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-control=blur][data-blur=on]').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
  });
});
