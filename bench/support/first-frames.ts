import type { Page } from 'playwright-core';
import type { Person } from '../../e2e/support/browser.ts';
import { remoteVideo } from './call-pages.ts';

const patienceMs = 15_000;

/**
 * Detects the first video of another participant, in Rapport's page (or its frame) and in the bare
 * one, with the same code in each: when the first frame after the source was set is presented.
 * Rapport shows that video before it has a tile (web/meet/early/first-video.ts).
 */
export class FirstFrames {
  #seen: (epochMs: number) => void = () => undefined;

  static async of({ context }: Person): Promise<FirstFrames> {
    const frames = new FirstFrames();
    await context.exposeFunction('benchFirstFrame', (epochMs: number) => frames.#seen(epochMs));
    await context.addInitScript((selector) => {
      const watched = new WeakSet<Element>();
      const watch = () => {
        for (const video of document.querySelectorAll<HTMLVideoElement>(selector)) {
          if (watched.has(video)) continue;
          watched.add(video);
          video.requestVideoFrameCallback(() => {
            const tell: unknown = Reflect.get(window, 'benchFirstFrame');
            if (typeof tell === 'function') tell(performance.timeOrigin + performance.now());
          });
        }
      };
      new MutationObserver(watch).observe(document, { childList: true, subtree: true });
    }, `${remoteVideo}, body > video:not(#own)`);
    return frames;
  }

  /** Opens the address in a tab. @returns milliseconds from the start of the navigation */
  async timeFrom(page: Page, address: string): Promise<number> {
    const seen = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no picture at ${address}`)), patienceMs);
      this.#seen = (epochMs) => {
        clearTimeout(timer);
        resolve(epochMs);
      };
    });
    await page.goto(address, { waitUntil: 'commit' });
    const [at, from] = [await seen, await page.evaluate(() => performance.timeOrigin)];
    this.#seen = () => undefined;
    return at - from;
  }
}
