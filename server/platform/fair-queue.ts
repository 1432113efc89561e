import { DomainError } from '#domain/errors.ts';

export interface Shares {
  /** Tasks that run at the same time. */
  atOnce: number;
  /** Of those, tasks of one key. */
  perKey: number;
  /** Tasks of one key that may wait. One more is refused. */
  mostWaiting: number;
}

/** How long a key whose task overran runs behind all others. */
const slowMs = 600_000;
const mostSlow = 10_000;

/**
 * Runs tasks a few at a time and serves their keys in turn, so that no key waits for another's queue.
 * Keys whose tasks overran share one place and come last: many of them together delay the others once.
 */
export class FairQueue {
  readonly #shares: Shares;
  /** In the order in which the keys are served next. */
  readonly #waiting = new Map<string, ((isSlow: boolean) => void)[]>();
  readonly #running = new Map<string, number>();
  /** Until when a key counts as slow, oldest first. */
  readonly #slowUntil = new Map<string, number>();
  #total = 0;
  #slowRunning = 0;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** @throws DomainError 429 when too many tasks of this key are waiting, and what the task throws */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const isSlow = await this.#turn(key);
    try {
      return await task();
    } finally {
      this.#total -= 1;
      if (isSlow) this.#slowRunning -= 1;
      const left = this.#runningOf(key) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
      this.#moveBack(key);
      this.#next();
    }
  }

  /** A task of this key took longer than it may. */
  overran(key: string): void {
    this.#slowUntil.delete(key);
    this.#slowUntil.set(key, Date.now() + slowMs);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > mostSlow && oldest !== undefined) this.#slowUntil.delete(oldest);
  }

  /** Resolves with whether the key counted as slow when its turn came. */
  #turn(key: string): Promise<boolean> {
    const queue = this.#waiting.get(key) ?? [];
    if (queue.length >= this.#shares.mostWaiting) throw tooManyWaiting();
    return new Promise((go) => {
      queue.push(go);
      this.#waiting.set(key, queue);
      this.#next();
    });
  }

  /** Others come first. */
  #moveBack(key: string): void {
    const queue = this.#waiting.get(key);
    if (!queue) return;
    this.#waiting.delete(key);
    this.#waiting.set(key, queue);
  }

  #next(): void {
    for (const isSlow of [false, true]) {
      for (const [key, queue] of this.#waiting) {
        if (this.#total >= this.#shares.atOnce) return;
        if (isSlow && this.#slowRunning > 0) return;
        if (this.#isSlow(key) !== isSlow) continue;
        if (this.#runningOf(key) >= this.#shares.perKey) continue;
        const go = queue.shift();
        if (queue.length === 0) this.#waiting.delete(key);
        this.#running.set(key, this.#runningOf(key) + 1);
        this.#total += 1;
        if (isSlow) this.#slowRunning += 1;
        go?.(isSlow);
      }
    }
  }

  #isSlow(key: string): boolean {
    const until = this.#slowUntil.get(key);
    if (until === undefined) return false;
    if (until > Date.now()) return true;
    this.#slowUntil.delete(key);
    return false;
  }

  #runningOf(key: string): number {
    return this.#running.get(key) ?? 0;
  }
}

const tooManyWaiting = () =>
  new DomainError(
    'too_many',
    'too_many_waiting',
    'Your organization is sending more than can be handled at a time. Please try again in a moment.',
    { retryAfterSeconds: 5 },
  );
