import type { AllowanceBounds } from './allowance.ts';
import { tooManyWaiting } from './fair-queue.ts';
import type { OrganizationTime } from './organization-time.ts';
import { PacedTurns } from './paced-turns.ts';

/** An answer that is expected to be shorter costs no more than other requests. */
const longFrom = 32 * 1024;
/** How long the longest answer of a path counts as expected. */
const expectedForMs = 60_000;
const mostPaths = 10_000;
/**
 * The time of a database connection that a request includes. Whoever uses more waits as if for more requests, so
 * the rate of requests is also one of work: 100 a second are one connection, all the time.
 */
const msOfRequest = 10;
/** The most that is charged: what takes longer mostly waits for a lock. */
const mostMs = 200;
/** Requests of one actor that wait for their turn. One more is refused. */
const mostWaiting = 50;

/** What was charged for an answer before it was made. */
export interface Charge {
  group: string;
  path: string;
  bytes: number;
}

/** The rates at which each organization is answered. */
export interface AnswerRates {
  /** Of long answers. */
  bytes: AllowanceBounds;
  /** How many short ones. */
  requests: AllowanceBounds;
}

/**
 * Paces how many bytes each organization has answered, and how many requests, however many people and tokens
 * ask. Its actors take turns. A long answer is charged in advance with the longest recent one of the same path,
 * so that long answers are not made at the same moment, and with its own length afterwards.
 */
export class AnswerTurns {
  readonly #turns: PacedTurns;
  readonly #requests: PacedTurns;
  readonly #mostOfTurn: number;
  readonly #time: OrganizationTime;
  readonly #waiting = new Map<string, number>();
  readonly #longest = new Map<string, { bytes: number; until: number }>();

  /** @param scale multiplies the bounds, like the rate limits */
  constructor({ bytes, requests }: AnswerRates, time: OrganizationTime, scale = 1) {
    this.#time = time;
    this.#turns = new PacedTurns(bytes, scale);
    this.#mostOfTurn = bytes.burst * scale;
    this.#requests = new PacedTurns(requests, scale);
  }

  /** @returns the charge of a short answer that need not wait, which is counted; null for one that must */
  short(group: string, path: string): Charge | null {
    if (this.isLong(group, path) || !this.#requests.starts(group)) return null;
    if (!this.#time.starts(group, 'staff', 'request')) {
      this.#requests.spend(group, -1);
      return null;
    }
    return { group, path, bytes: 0 };
  }

  /**
   * Waits for the actor's turn.
   * @param path of the route, with its parameters' names
   * @returns null if `signal` was aborted first
   * @throws DomainError 429
   */
  async begin(
    group: string,
    actor: string,
    path: string,
    signal: AbortSignal,
  ): Promise<Charge | null> {
    const short = this.short(group, path);
    if (short) return short;
    const isLong = this.isLong(group, path);
    // A turn costs no more; what the answer has beyond it is charged afterwards.
    const bytes = isLong ? Math.min(this.#expected(`${group} ${path}`), this.#mostOfTurn) : 0;
    const waiting = this.#waiting.get(actor) ?? 0;
    if (waiting >= mostWaiting) throw tooManyWaiting();
    this.#waiting.set(actor, waiting + 1);
    // A long answer is a request, too.
    const isTurn =
      (await this.#requests.turn(group, actor, signal)) &&
      (await this.#time.turn(group, 'staff', 'request', actor, signal)) &&
      (!isLong || (await this.#turns.turn(group, actor, signal, bytes)));
    const left = (this.#waiting.get(actor) ?? 1) - 1;
    if (left > 0) this.#waiting.set(actor, left);
    else this.#waiting.delete(actor);
    return isTurn ? { group, path, bytes } : null;
  }

  /** Charges the organization for the time that a request had a connection, beyond what is included. */
  worked(group: string, ms: number): void {
    const charged = Math.min(ms, mostMs) / msOfRequest - 1;
    if (charged > 0) this.#requests.spend(group, charged);
  }

  /** Corrects the charge to the length of the answer. */
  end({ group, path, bytes: charged }: Charge, bytes: number): void {
    this.#turns.spend(group, bytes - charged);
    if (bytes < longFrom) return;
    const key = `${group} ${path}`;
    const longest = Math.max(bytes, this.#expected(key));
    this.#longest.delete(key);
    this.#longest.set(key, { bytes: longest, until: Date.now() + expectedForMs });
    if (this.#longest.size <= mostPaths) return;
    const [oldest] = this.#longest.keys();
    if (oldest !== undefined) this.#longest.delete(oldest);
  }

  /** Waits until so many more bytes may be sent; false if `signal` was aborted first. */
  stream(group: string, actor: string, signal: AbortSignal, bytes: number): Promise<boolean> {
    return this.#turns.turn(group, actor, signal, bytes);
  }

  /**
   * As `stream`, for a body that is about to be read.
   * @throws DomainError 429 when too many of this actor wait
   */
  receive(group: string, actor: string, signal: AbortSignal, bytes: number): Promise<boolean> {
    if (this.#turns.waiting(group, actor) >= mostWaiting) throw tooManyWaiting();
    return this.#turns.turn(group, actor, signal, bytes);
  }

  /** Whether an answer of this path waits for a turn. */
  isLong(group: string, path: string): boolean {
    return this.#expected(`${group} ${path}`) >= longFrom;
  }

  #expected(key: string): number {
    const longest = this.#longest.get(key);
    return longest && longest.until > Date.now() ? longest.bytes : 0;
  }
}
