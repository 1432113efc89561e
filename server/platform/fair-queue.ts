import { DomainError } from '#domain/errors.ts';

export interface Shares {
  /** Tasks that run at the same time, or what they weigh together. */
  atOnce: number;
  /** Of those, tasks of one key. */
  perKey: number;
  /** Tasks of one key that may wait. One more is refused. */
  mostWaiting: number;
  /**
   * Tasks that may wait in all; any number unless given. For one more, the newest of the key with most of
   * them is refused, of keys that overran first: many keys with many tasks keep no newcomer out.
   */
  mostInAll?: number | undefined;
}

/** How long a key whose task overran runs behind all others. */
const slowMs = 600_000;
const mostSlow = 10_000;

interface Waiting {
  weight: number;
  /** Called with whether the key counts as slow. */
  go: (isSlow: boolean) => void;
  refuse: (reason: Error) => void;
}

/**
 * Runs tasks a few at a time and serves their keys in turn, so that no key waits for another's queue.
 * Keys whose tasks overran share one place and come last: many of them together delay the others once.
 */
export class FairQueue {
  readonly #shares: Shares;
  /** In the order in which the keys are served next. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  /** Until when a key counts as slow, oldest first. */
  readonly #slowUntil = new Map<string, number>();
  #total = 0;
  #slowRunning = 0;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /**
   * @param given what the task weighs, where tasks differ; one heavier than all together runs alone
   * @throws DomainError 429 when too many tasks of this key are waiting, and what the task throws
   */
  async run<T>(key: string, task: () => Promise<T>, given = 1): Promise<T> {
    const weight = Math.min(given, this.#shares.atOnce);
    const isSlow = this.#startsAtOnce(key, weight) ? false : await this.#turn(key, weight);
    try {
      return await task();
    } finally {
      this.#total -= weight;
      if (isSlow) this.#slowRunning -= 1;
      const left = this.#runningOf(key) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
      if (this.#waiting.size > 0) {
        this.#moveBack(key);
        this.#next();
      }
    }
  }

  /** A task of this key took longer than it may. */
  overran(key: string): void {
    this.#slowUntil.delete(key);
    this.#slowUntil.set(key, Date.now() + slowMs);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > mostSlow && oldest !== undefined) this.#slowUntil.delete(oldest);
  }

  /** Takes a place where one is free and nobody waits, which is the rule. */
  #startsAtOnce(key: string, weight: number): boolean {
    const { atOnce, perKey } = this.#shares;
    const isFree = this.#total + weight <= atOnce && this.#runningOf(key) < perKey;
    if (this.#waiting.size > 0 || !isFree || this.#isSlow(key)) return false;
    this.#start(key, weight);
    return true;
  }

  /** Resolves with whether the key counted as slow when its turn came. */
  #turn(key: string, weight: number): Promise<boolean> {
    const queue = this.#waiting.get(key) ?? [];
    if (queue.length >= this.#shares.mostWaiting) throw tooManyWaiting();
    return new Promise((go, refuse) => {
      queue.push({ weight, go, refuse });
      this.#waiting.set(key, queue);
      this.#next();
      this.#refuseOne();
    });
  }

  /** Where too many wait in all. */
  #refuseOne(): void {
    const { mostInAll } = this.#shares;
    if (mostInAll === undefined) return;
    let waiting = 0;
    let chosen: { key: string; queue: Waiting[]; isSlow: boolean } | undefined;
    for (const [key, queue] of this.#waiting) {
      waiting += queue.length;
      const isSlow = this.#isSlow(key);
      const isWorse =
        !chosen || (isSlow === chosen.isSlow ? queue.length >= chosen.queue.length : isSlow);
      if (isWorse) chosen = { key, queue, isSlow };
    }
    if (waiting <= mostInAll || !chosen) return;
    chosen.queue.pop()?.refuse(tooManyWaiting());
    if (chosen.queue.length === 0) this.#waiting.delete(chosen.key);
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
        if (isSlow && this.#slowRunning > 0) return;
        const [first] = queue;
        if (!first || this.#isSlow(key) !== isSlow) continue;
        if (this.#runningOf(key) >= this.#shares.perKey) continue;
        // A heavy task is not overtaken by light ones for ever: those behind it wait, too.
        if (this.#total + first.weight > this.#shares.atOnce) return;
        queue.shift();
        if (queue.length === 0) this.#waiting.delete(key);
        this.#start(key, first.weight);
        if (isSlow) this.#slowRunning += 1;
        first.go(isSlow);
      }
    }
  }

  #start(key: string, weight: number): void {
    this.#running.set(key, this.#runningOf(key) + 1);
    this.#total += weight;
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

export const tooManyWaiting = (retryAfterSeconds = 5) =>
  new DomainError(
    'too_many',
    'too_many_waiting',
    'Your organization is sending more than can be handled at a time. Please try again in a moment.',
    { retryAfterSeconds },
  );
