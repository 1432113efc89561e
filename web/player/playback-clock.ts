/** A position that advances with a monotonic clock, faster or slower than it. */
export class PlaybackClock {
  readonly #now: () => number;
  /** The position at a time, from which it advances. */
  #anchorMs: number;
  #anchoredAt: number;
  #rate = 1;
  #isRunning = false;

  constructor(now: () => number, positionMs: number) {
    this.#now = now;
    this.#anchorMs = positionMs;
    this.#anchoredAt = now();
  }

  get positionMs(): number {
    if (!this.#isRunning) return this.#anchorMs;
    return this.#anchorMs + (this.#now() - this.#anchoredAt) * this.#rate;
  }

  moveTo(positionMs: number): void {
    this.#anchorMs = positionMs;
    this.#anchoredAt = this.#now();
  }

  setRunning(isRunning: boolean): void {
    this.moveTo(this.positionMs);
    this.#isRunning = isRunning;
  }

  setRate(rate: number): void {
    this.moveTo(this.positionMs);
    this.#rate = rate;
  }
}
