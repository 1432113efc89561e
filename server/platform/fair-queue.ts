import { DomainError } from '#domain/errors.ts';

export interface Shares {
  /** Tasks that run at the same time. */
  atOnce: number;
  /** Of those, tasks of one key. */
  perKey: number;
  /** Tasks of one key that may wait. One more is refused. */
  mostWaiting: number;
}

/** Runs tasks a few at a time and serves their keys in turn, so that no key waits for another's queue. */
export class FairQueue {
  readonly #shares: Shares;
  /** In the order in which the keys are served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** @throws DomainError 429 when too many tasks of this key are waiting, and what the task throws */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    await this.#turn(key);
    try {
      return await task();
    } finally {
      this.#total -= 1;
      const left = this.#runningOf(key) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
      this.#moveBack(key);
      this.#next();
    }
  }

  #turn(key: string): Promise<void> {
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
    for (const [key, queue] of this.#waiting) {
      if (this.#total >= this.#shares.atOnce) return;
      if (this.#runningOf(key) >= this.#shares.perKey) continue;
      const go = queue.shift();
      if (queue.length === 0) this.#waiting.delete(key);
      this.#running.set(key, this.#runningOf(key) + 1);
      this.#total += 1;
      go?.();
    }
  }

  #runningOf(key: string): number {
    return this.#running.get(key) ?? 0;
  }
}

export const tooManyWaiting = () =>
  new DomainError(
    'too_many',
    'too_many_waiting',
    'Your organization is sending more than can be handled at a time. Please try again in a moment.',
    { retryAfterSeconds: 5 },
  );
