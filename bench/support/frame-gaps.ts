import type { Page } from 'playwright-core';
import { remoteVideo } from './call-pages.ts';

/** A shorter gap is a late frame, not an interruption. */
const shortestGapMs = 400;
/** After moving for this long, the interruption is over. */
const steadyMs = 2_000;

/**
 * From now on the page measures how long the other's video freezes. Resolves when the video moves
 * steadily.
 */
export async function watchGaps(page: Page): Promise<void> {
  await page.evaluate(
    ({ selector, shortest, steady }) => {
      const state = { longest: 0, movedAt: performance.now(), steadySince: performance.now() };
      Reflect.set(window, 'frameGaps', state);
      const shown = new WeakMap<HTMLVideoElement, number>();
      const look = () => {
        const now = performance.now();
        for (const video of document.querySelectorAll<HTMLVideoElement>(selector)) {
          const frames = video.getVideoPlaybackQuality().totalVideoFrames;
          if (frames === (shown.get(video) ?? 0)) continue;
          shown.set(video, frames);
          const gap = now - state.movedAt;
          if (gap > shortest) state.steadySince = now;
          state.longest = Math.max(state.longest, gap);
          state.movedAt = now;
        }
      };
      setInterval(look, 15);
      return new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          const now = performance.now();
          if (now - state.movedAt > shortest) state.steadySince = now;
          if (now - state.steadySince < steady) return;
          clearInterval(timer);
          state.longest = 0;
          resolve();
        }, 50);
      });
    },
    { selector: remoteVideo, shortest: shortestGapMs, steady: steadyMs },
  );
}

/** Waits for an interruption and its end. @returns how long the video froze, in milliseconds */
export async function longestGap(page: Page): Promise<number> {
  return page.evaluate(
    async ({ shortest, steady }) => {
      const state: { longest: number; movedAt: number; steadySince: number } = Reflect.get(
        window,
        'frameGaps',
      );
      for (;;) {
        const now = performance.now();
        const moves = now - state.movedAt < shortest && now - state.steadySince > steady;
        if (state.longest > shortest && moves) return state.longest;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    { shortest: shortestGapMs, steady: steadyMs },
  );
}
