import { DomainError } from '#domain/errors.ts';

export interface Shares {
  /** Tasks that run at the same time, or their total weight. */
  atOnce: number;
  /** Running tasks of one key. */
  perKey: number;
  /** Waiting tasks of one key. One more is refused. */
  mostWaiting: number;
  /**
   * Waiting tasks in all; unlimited by default. One more causes the newest task of the key with the
   * most waiting tasks to be refused, starting with keys that overran, so that many keys with many
   * tasks cannot keep a new key out.
   */
  mostInAll?: number | undefined;
  /**
   * The place of keys that overran stays empty after such a task, this many times as long as the task took, so that
   * tasks that always overrun get a share of a core and no more. 0 by default.
   */
  rest?: number;
}

/** How long a key whose task overran comes behind all others. */
const slowMs = 600_000;
const mostSlow = 10_000;
/** People whose file was too large try a smaller one, and wait this long at most. */
const longestRestMs = 10_000;

interface Waiting {
  weight: number;
  /** Called with whether the key counts as slow. */
  go: (isSlow: boolean) => void;
  refuse: (reason: Error) => void;
}

/**
 * Runs a few tasks at a time and serves their keys in turn, so that no key waits for another's
 * queue. Keys whose tasks overran share one place and come last: many of them together delay the
 * others once.
 */
export class FairQueue {
  readonly #shares: Shares;
  /** In the order in which the keys are served next. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  /** The time until which a key counts as slow, oldest first. */
  readonly #slowUntil = new Map<string, number>();
  /** Keys whose running task overran. */
  readonly #overrunning = new Set<string>();
  #total = 0;
  #slowRunning = 0;
  #restsUntil = 0;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /**
   * @param task is told whether its key counts as slow
   * @param given weight of the task, where tasks differ; a task heavier than the total runs alone
   * @throws DomainError 429 when too many tasks of this key are waiting, and any error of the task
   */
  async run<T>(key: string, task: (isSlow: boolean) => Promise<T>, given = 1): Promise<T> {
    const weight = Math.min(given, this.#shares.atOnce);
    const isSlow = this.#startsAtOnce(key, weight) ? false : await this.#turn(key, weight);
    const beganAt = performance.now();
    try {
      return await task(isSlow);
    } finally {
      this.#total -= weight;
      if (this.#overrunning.delete(key)) this.#restAfter(performance.now() - beganAt);
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

  /** Records that a task of this key, which may still run, exceeded its time. */
  overran(key: string): void {
    if (this.#running.has(key)) this.#overrunning.add(key);
    this.#slowUntil.delete(key);
    this.#slowUntil.set(key, Date.now() + slowMs);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > mostSlow && oldest !== undefined) this.#slowUntil.delete(oldest);
  }

  /** Takes a place if one is free and no task waits, which is the usual case. */
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

  /** Refuses one task where too many wait in all. */
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

  /** Puts the key behind all others. */
  #moveBack(key: string): void {
    const queue = this.#waiting.get(key);
    if (!queue) return;
    this.#waiting.delete(key);
    this.#waiting.set(key, queue);
  }

  #restAfter(tookMs: number): void {
    const restMs = Math.min(longestRestMs, tookMs * (this.#shares.rest ?? 0));
    if (restMs === 0) return;
    this.#restsUntil = Math.max(this.#restsUntil, performance.now() + restMs);
    setTimeout(() => this.#next(), Math.ceil(restMs) + 1).unref();
  }

  #next(): void {
    for (const isSlow of [false, true]) {
      for (const [key, queue] of this.#waiting) {
        if (isSlow && (this.#slowRunning > 0 || performance.now() < this.#restsUntil)) return;
        const [first] = queue;
        if (!first || this.#isSlow(key) !== isSlow) continue;
        if (this.#runningOf(key) >= this.#shares.perKey) continue;
        // Tasks behind a heavy one wait, too, so that light tasks do not overtake it forever.
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
    'Your organization is sending too many requests. Please try again in a moment.',
    { retryAfterSeconds },
  );
