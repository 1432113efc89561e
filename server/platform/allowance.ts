export interface AllowanceBounds {
  /** The most that a key can spend without waiting. */
  burst: number;
  /** Refill per second. */
  perSecond: number;
}

/** Number of keys kept. Beyond it, the least recently used key is dropped. */
const mostKeys = 10_000;

/** A token bucket per key. A bucket may be overdrawn, so that work of any cost fits. */
export class Allowance {
  readonly #bounds: AllowanceBounds;
  readonly #accounts = new Map<string, { left: number; countedAt: number }>();

  /** @param scale multiplies both bounds, like the rate limits */
  constructor({ burst, perSecond }: AllowanceBounds, scale = 1) {
    this.#bounds = { burst: burst * scale, perSecond: perSecond * scale };
  }

  /**
   * Spends `cost` from the key's bucket.
   * @param now in milliseconds
   * @returns milliseconds until the bucket is no longer overdrawn; 0 within the bounds
   */
  spend(key: string, cost: number, now = Date.now()): number {
    const left = this.#left(key, now) - cost;
    this.#accounts.delete(key);
    this.#accounts.set(key, { left, countedAt: now });
    if (this.#accounts.size > mostKeys) {
      const [oldest] = this.#accounts.keys();
      if (oldest !== undefined) this.#accounts.delete(oldest);
    }
    return this.#debtMs(left);
  }

  /**
   * Spends only what the key has left.
   * @returns 0 when the cost was spent; else milliseconds until it may be, and nothing was spent
   */
  take(key: string, cost: number, now = Date.now()): number {
    const missing = this.#debtMs(this.#left(key, now) - cost);
    return missing > 0 ? missing : this.spend(key, cost, now);
  }

  /** @returns as `spend`, for what was spent already */
  debtMs(key: string, now = Date.now()): number {
    return this.#debtMs(this.#left(key, now));
  }

  #left(key: string, now: number): number {
    const { burst, perSecond } = this.#bounds;
    const account = this.#accounts.get(key);
    if (!account) return burst;
    const seconds = Math.max(0, now - account.countedAt) / 1000;
    return Math.min(burst, account.left + seconds * perSecond);
  }

  #debtMs(left: number): number {
    return left >= 0 ? 0 : (-left / this.#bounds.perSecond) * 1000;
  }
}
