import { tooManyWaiting } from './fair-queue.ts';

/** More can only be a flood: requests, sockets and jobs of one organization together. */
const mostWaiting = 2_000;

/**
 * Keeps one key from holding more than its share of something that all keys use, such as connections to
 * the database. Past the share its next uses wait for its own, in order.
 */
export class Shares {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes one of the key's share.
   * @returns null when it was there, which is the rule; else what to wait for
   * @throws DomainError 429 when too many uses of this key are waiting
   */
  take(key: string): Promise<void> | null {
    const held = this.#held.get(key) ?? 0;
    if (held < this.#most) {
      this.#held.set(key, held + 1);
      return null;
    }
    const queue = this.#waiting.get(key) ?? [];
    if (queue.length >= mostWaiting) throw tooManyWaiting();
    this.#waiting.set(key, queue);
    return new Promise((go) => queue.push(go));
  }

  /** Passes it on to the use of the same key that has waited longest. */
  giveBack(key: string): void {
    const queue = this.#waiting.get(key);
    const go = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(key);
    const left = (this.#held.get(key) ?? 0) - 1;
    if (go) go();
    else if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
