import type { Page } from 'playwright-core';

/** A flash that a player's video has shown. */
export interface Flash {
  /** The video's place among those of the page. */
  video: number;
  /** Milliseconds of the page's clock at which it is on the screen. */
  shownAt: number;
  /** Where it is in the file. */
  mediaMs: number;
}

declare const shownFlashes: Flash[];
declare const seekTimes: number[];

/** Notes from now on the flashes (flashing-devices.ts) that the page's videos show. */
export const watchFlashes = (page: Page) => page.evaluate(noteFlashes);
export const flashesOf = (page: Page) => page.evaluate(() => shownFlashes);

function noteFlashes(): void {
  const flashes: Flash[] = [];
  Object.assign(globalThis, { shownFlashes: flashes });
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  for (const [video, element] of [...document.querySelectorAll('video')].entries()) {
    let wasBright = true;
    const look = (_: number, { expectedDisplayTime, mediaTime }: VideoFrameCallbackMetadata) => {
      element.requestVideoFrameCallback(look);
      const { videoWidth, videoHeight } = element;
      // Above the bar that moves.
      context?.drawImage(element, videoWidth / 2, videoHeight / 4, 4, 4, 0, 0, 1, 1);
      const isBright = (context?.getImageData(0, 0, 1, 1).data[0] ?? 0) > 128;
      if (isBright && !wasBright)
        flashes.push({ video, shownAt: expectedDisplayTime, mediaMs: mediaTime * 1000 });
      wasBright = isBright;
    };
    element.requestVideoFrameCallback(look);
  }
}

/** Returns where the beeps of the page's files begin, in milliseconds of each file. */
export const beepsOf = (page: Page, urls: readonly string[]) =>
  page.evaluate(async (addresses) => {
    const context = new OfflineAudioContext(1, 1, 48_000);
    const found: number[][] = [];
    for (const address of addresses) {
      const sound = await context.decodeAudioData(await (await fetch(address)).arrayBuffer());
      const samples = sound.getChannelData(0);
      const beeps: number[] = [];
      let loudAt = 0;
      for (const [at, sample] of samples.entries()) {
        if (Math.abs(sample) < 0.05) continue;
        if (at - loudAt > sound.sampleRate / 4) beeps.push((at / sound.sampleRate) * 1000);
        loudAt = at;
      }
      found.push(beeps);
    }
    return found;
  }, urls);

/** Notes from now on how long each jump on the timeline takes, until every video shows a picture from there. */
export const watchSeeks = (page: Page) => page.evaluate(noteSeeks);
export const seeksOf = (page: Page) => page.evaluate(() => seekTimes);

function noteSeeks(): void {
  const times: number[] = [];
  Object.assign(globalThis, { seekTimes: times });
  const nearSeconds = 0.5;
  /** The element is at its new position at once, the picture of it comes later. */
  const pictureFrom = (video: HTMLVideoElement) =>
    new Promise<number>((resolve) => {
      const look = (_: number, shown: VideoFrameCallbackMetadata) => {
        const isThere = Math.abs(shown.mediaTime - video.currentTime) < nearSeconds;
        if (isThere && !video.seeking) resolve(shown.expectedDisplayTime);
        else video.requestVideoFrameCallback(look);
      };
      video.requestVideoFrameCallback(look);
    });
  const note = async () => {
    const startedAt = performance.now();
    const shown = await Promise.all([...document.querySelectorAll('video')].map(pictureFrom));
    times.push(Math.max(...shown) - startedAt);
  };
  const slider = document.querySelector('[role="slider"]');
  slider?.addEventListener('pointerdown', () => void note(), { capture: true });
}
