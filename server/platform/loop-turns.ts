// Not the global one, which a test with another clock would leave waiting forever for the files after it.
import { setImmediate } from 'node:timers';

/** How long such work may keep the event loop from everything else, unless one piece takes longer. */
const longestSliceMs = 5;

/**
 * Keeps work that clients cause from occupying the event loop: in each iteration of the loop it starts for a
 * few milliseconds, then waits for the next. What waits is started in turns by key, so that nobody waits
 * for all that another has sent. Nothing waits while the loop has time.
 */
export class LoopTurns {
  readonly #sliceMs: number;
  /** Of the current iteration; null before its first work. */
  #sliceEndsAt: number | null = null;
  /** By key, in the order in which keys are served next. No list is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(sliceMs = longestSliceMs) {
    this.#sliceMs = sliceMs;
  }

  /**
   * @param key whose work it is
   * @returns undefined if the work may start now; else a promise that resolves when its turn has come
   */
  wait(key: string): Promise<void> | undefined {
    const now = performance.now();
    if (this.#sliceEndsAt === null) {
      this.#sliceEndsAt = now + this.#sliceMs;
      setImmediate(this.#iterate);
    }
    if (this.#waiting.size === 0 && now < this.#sliceEndsAt) return undefined;
    return new Promise((start) => {
      const own = this.#waiting.get(key);
      if (own) own.push(start);
      else this.#waiting.set(key, [start]);
    });
  }

  #iterate = (): void => {
    if (this.#waiting.size === 0) {
      this.#sliceEndsAt = null;
      return;
    }
    this.#sliceEndsAt = performance.now() + this.#sliceMs;
    setImmediate(this.#iterate);
    this.#startNext();
  };

  #startNext = (): void => {
    if (this.#sliceEndsAt === null || performance.now() >= this.#sliceEndsAt) return;
    const [next] = this.#waiting;
    if (!next) return;
    const [key, own] = next;
    const start = own.shift();
    this.#waiting.delete(key);
    // Behind the other keys.
    if (own.length > 0) this.#waiting.set(key, own);
    start?.();
    // After the microtasks that the start causes, so that their time counts.
    queueMicrotask(() => process.nextTick(this.#startNext));
  };
}

/** Of this process. */
export const loopTurns = new LoopTurns();
