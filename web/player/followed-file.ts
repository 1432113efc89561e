import { haveFutureData, type MediaElement } from './media-element.ts';
import type { PlayedFile } from './timeline.ts';

/** Beyond this, a file jumps to the position instead of catching up with it. */
const mostDriftMs = 250;
/** Within this, a file is left alone: half of what two people may be apart, less one tick. */
const leastDriftMs = 20;
/** The largest change of the speed that catches up: hardly heard. */
const mostNudge = 0.15;
/** A jump takes a moment: the next one waits for its effect. */
const jumpPauseMs = 1000;
/** The others do not wait longer for a file that does not load. */
const mostWaitMs = 8000;
const mostAttempts = 2;

/** What the followed clock says. */
export interface ClockReading {
  positionMs: number;
  rate: number;
  /** Milliseconds of the page's monotonic clock. */
  now: number;
}

/** One file's element, which follows the player's clock. */
export class FollowedFile {
  readonly element: MediaElement;
  file: PlayedFile;
  #attempts = 0;
  #isFailed = false;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  #waitsSince: number | null = null;
  readonly #unlisten: () => void;

  /** @param onChange called when the element has loaded more, or has failed */
  constructor(file: PlayedFile, element: MediaElement, onChange: (isError: boolean) => void) {
    this.file = file;
    this.element = element;
    const changed = () => onChange(false);
    const failed = () => {
      this.#attempts += 1;
      this.#isFailed = true;
      onChange(true);
    };
    const heard = ['canplay', 'seeked', 'loadeddata', 'playing'];
    for (const type of heard) element.addEventListener(type, changed);
    element.addEventListener('error', failed);
    this.#unlisten = () => {
      for (const type of heard) element.removeEventListener(type, changed);
      element.removeEventListener('error', failed);
    };
  }

  /** Begins to load the file, at the position. */
  load(at: Pick<ClockReading, 'positionMs' | 'now'>): void {
    this.element.preload = 'auto';
    this.element.src = this.file.url;
    this.jump(at);
  }

  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Whether a new address may help: the first ones may have expired. */
  get mayRetry(): boolean {
    return this.#isFailed && this.#attempts <= mostAttempts;
  }

  /** Loads the file from another address. `isAsked`: a person asked for it, so that it counts as the first time. */
  reload(url: string, isAsked = false): void {
    this.file = { ...this.file, url };
    this.#isFailed = false;
    if (isAsked) this.#attempts = 0;
    this.#jumpedAt = Number.NEGATIVE_INFINITY;
    this.#waitsSince = null;
    this.element.src = url;
    this.element.load();
  }

  /** Whether playing must wait for this file. */
  isAwaited(now: number): boolean {
    const { element } = this;
    const isReady = !element.seeking && element.readyState >= haveFutureData;
    if (this.#isFailed || element.ended || isReady) {
      this.#waitsSince = null;
      return false;
    }
    this.#waitsSince ??= now;
    return now - this.#waitsSince < mostWaitMs;
  }

  /** Puts the element at the clock's position, whatever it does now. */
  jump({ positionMs, now }: Pick<ClockReading, 'positionMs' | 'now'>): void {
    if (this.#isFailed) return;
    const seconds = Math.max(0, positionMs - this.file.startMs) / 1000;
    if (Math.abs(this.element.currentTime - seconds) < 0.001) return;
    this.element.currentTime = seconds;
    this.#jumpedAt = now;
  }

  /** Lets the element catch up with the clock, or wait for it. */
  follow({ positionMs, rate, now }: ClockReading): void {
    const { element } = this;
    if (this.#isFailed || element.seeking) return;
    const driftMs = element.currentTime * 1000 - (positionMs - this.file.startMs);
    if (Math.abs(driftMs) > mostDriftMs && !element.ended) {
      if (now - this.#jumpedAt >= jumpPauseMs) this.jump({ positionMs, now });
      return;
    }
    const nudge = Math.max(-mostNudge, Math.min(mostNudge, -driftMs / 500));
    const wanted = Math.abs(driftMs) <= leastDriftMs ? rate : rate * (1 + nudge);
    if (element.playbackRate !== wanted) element.playbackRate = wanted;
  }

  /** @returns whether the browser lets it play */
  play(): Promise<boolean> {
    if (this.#isFailed || !this.element.paused || this.element.ended) return Promise.resolve(true);
    return this.element.play().then(
      () => true,
      (error: unknown) => !(error instanceof DOMException && error.name === 'NotAllowedError'),
    );
  }

  /** Where the element is on the call's clock; null while it does not play. */
  get positionMs(): number | null {
    const { element, file } = this;
    if (this.#isFailed || element.seeking || element.ended || element.paused) return null;
    return element.readyState >= haveFutureData ? file.startMs + element.currentTime * 1000 : null;
  }

  pause(): void {
    if (!this.element.paused) this.element.pause();
  }

  dispose(): void {
    this.#unlisten();
    this.pause();
    this.element.removeAttribute('src');
    this.element.load();
    this.element.remove();
  }
}
