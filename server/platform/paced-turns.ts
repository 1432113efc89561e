import { Allowance, type AllowanceBounds } from './allowance.ts';

interface Waiting {
  weight: number;
  start: () => void;
}

/** The members of a group that wait, with their waits, in the order in which they are served next. */
interface Group {
  members: Map<string, Set<Waiting>>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Starts work at a bounded rate for each group, whose members take turns. Work within the burst starts at
 * once. A wait costs the group nothing before its turn, and ends with its signal, so that no flood delays
 * the others of its group for longer than it lasts.
 */
export class PacedTurns {
  readonly #allowance: Allowance;
  readonly #heaviest: number;
  readonly #groups = new Map<string, Group>();

  /** @param scale multiplies both bounds, like the rate limits */
  constructor(bounds: AllowanceBounds, scale = 1) {
    this.#allowance = new Allowance(bounds, scale);
    this.#heaviest = bounds.burst * scale;
  }

  /** Counts work that may start now. @returns false if it would have to wait; nothing is counted then */
  starts(group: string, cost = 1): boolean {
    const weight = Math.min(cost, this.#heaviest);
    return !this.#groups.has(group) && this.#allowance.take(group, weight) === 0;
  }

  /**
   * @param cost of the work; one above the burst counts as the burst
   * @returns true once the member's turn has come; false if `signal` was aborted and the turn would have to
   *   be waited for
   */
  async turn(group: string, member: string, signal: AbortSignal, cost = 1): Promise<boolean> {
    if (this.starts(group, cost)) return true;
    if (signal.aborted) return false;
    const weight = Math.min(cost, this.#heaviest);
    return new Promise((resolve) => {
      const waiting = {
        weight,
        start: () => {
          signal.removeEventListener('abort', abort);
          resolve(true);
        },
      };
      const abort = () => {
        this.#remove(group, member, waiting);
        resolve(false);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#add(group, member, waiting);
    });
  }

  /** @returns how much work of the member waits */
  waiting(group: string, member: string): number {
    return this.#groups.get(group)?.members.get(member)?.size ?? 0;
  }

  /** Charges the group for more than a turn cost, or gives back what it cost too much. */
  spend(group: string, cost: number): void {
    this.#allowance.spend(group, cost);
  }

  #add(key: string, member: string, waiting: Waiting): void {
    const group = this.#groups.get(key) ?? { members: new Map(), timer: undefined };
    this.#groups.set(key, group);
    const waits = group.members.get(member) ?? new Set();
    group.members.set(member, waits.add(waiting));
    if (!group.timer) this.#next(key, group);
  }

  #remove(key: string, member: string, waiting: Waiting): void {
    const group = this.#groups.get(key);
    const waits = group?.members.get(member);
    if (!group || !waits) return;
    waits.delete(waiting);
    if (waits.size === 0) group.members.delete(member);
    this.#forgetEmpty(key, group);
  }

  #forgetEmpty(key: string, group: Group): void {
    if (group.members.size > 0) return;
    clearTimeout(group.timer);
    this.#groups.delete(key);
  }

  /** Starts what the rate allows, then waits until it allows more. */
  #next(key: string, group: Group): void {
    group.timer = undefined;
    for (const [member, waits] of group.members) {
      const [first] = waits;
      if (!first) continue;
      const waitMs = this.#allowance.take(key, first.weight);
      if (waitMs > 0) {
        group.timer = setTimeout(() => this.#next(key, group), Math.ceil(waitMs)).unref();
        return;
      }
      waits.delete(first);
      group.members.delete(member);
      // Behind the other members.
      if (waits.size > 0) group.members.set(member, waits);
      first.start();
    }
    this.#forgetEmpty(key, group);
  }
}
