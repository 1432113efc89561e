/**
 * Runs one task at a time, for the key whose tasks have taken the least time: start-time fair queuing (Goyal, Vin,
 * and Cheng, 1996). So a key with many short tasks waits for another one's long tasks only as long as its own take.
 */
export class TimedTurns {
  /** Tasks by key. No list is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** What the tasks of a key have taken, in milliseconds, counted from `#clock` when the key was new. */
  readonly #taken = new Map<string, number>();
  /** What the key that is served had taken before: a key that comes now has no more to catch up. */
  #clock = 0;
  #isRunning = false;

  /**
   * The next task starts an iteration of the event loop after this one has ended: a key whose tasks follow from each
   * other has its next one in line by then. What the caller does at once with the result counts as time of the task.
   * @returns what the task returns, or its error, as soon as it has ended
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    if (this.#isRunning) await this.#turn(key);
    this.#isRunning = true;
    const before = this.#takenBy(key);
    this.#clock = before;
    const beganAt = performance.now();
    try {
      return await task();
    } finally {
      // What the caller does next is done by then.
      queueMicrotask(() => {
        process.nextTick(() => this.#taken.set(key, before + performance.now() - beganAt));
      });
      setImmediate(() => this.#next());
    }
  }

  #turn(key: string): Promise<void> {
    return new Promise((start) => {
      const own = this.#waiting.get(key);
      if (own) own.push(start);
      else this.#waiting.set(key, [start]);
      this.#taken.set(key, this.#takenBy(key));
    });
  }

  #takenBy(key: string): number {
    return Math.max(this.#clock, this.#taken.get(key) ?? 0);
  }

  #next(): void {
    let least: { key: string; own: (() => void)[]; taken: number } | undefined;
    for (const [key, own] of this.#waiting) {
      const taken = this.#takenBy(key);
      if (!least || taken < least.taken) least = { key, own, taken };
    }
    if (!least) {
      this.#isRunning = false;
      this.#clock = 0;
      this.#taken.clear();
      return;
    }
    const start = least.own.shift();
    if (least.own.length === 0) this.#waiting.delete(least.key);
    start?.();
  }
}
