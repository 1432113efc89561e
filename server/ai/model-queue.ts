import type { OrgId } from '#domain/ids.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { ConfiguredModels } from '#server/providers/ai/choose.ts';
import type { LanguageModel } from '#server/providers/ai/port.ts';

/** Requests to models at the same time, in this process. */
const shares = { atOnce: 12, perKey: 3, mostWaiting: 30, mostInAll: 300 };

interface Shared {
  answer: Promise<void>;
  abort: AbortController;
  callers: number;
}

/** What running requests may still use. */
interface Reservation {
  tokens: number;
  /** Millionths of the operator's currency. */
  cost: number;
}

/** The configured models, and the turns that organizations take to ask them. */
export class ModelQueue {
  readonly models: readonly LanguageModel[];
  /** The id of a model, or `offline`: what organizations use that have not chosen. */
  readonly standard: string;
  readonly #queue = new FairQueue(shares);
  readonly #shared = new Map<string, Shared>();
  readonly #reserved = new Map<OrgId, Reservation>();

  constructor({ models, standard }: ConfiguredModels) {
    this.models = models;
    this.standard = standard;
  }

  /**
   * Runs a task once for all who ask for the same at the same time, in the organization's turn. It is aborted when the
   * last of them has left.
   * @param key is unique to the organization
   * @throws any error of the task, the signal's reason, and DomainError 429
   */
  async share(
    orgId: OrgId,
    key: string,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    signal.throwIfAborted();
    const shared = this.#shared.get(key) ?? this.#begin(orgId, key, task);
    shared.callers += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([shared.answer, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      shared.callers -= 1;
      if (shared.callers === 0) shared.abort.abort();
    }
  }

  /**
   * Counts what a task may use until it has ended, so that tasks of an organization at the same time keep within its
   * budget together.
   * @param task receives what it and those before it may use
   */
  async reserve<T>(
    orgId: OrgId,
    next: Reservation,
    task: (reserved: Reservation) => Promise<T>,
  ): Promise<T> {
    const before = this.#reserved.get(orgId) ?? { tokens: 0, cost: 0 };
    const reserved = { tokens: before.tokens + next.tokens, cost: before.cost + next.cost };
    this.#reserved.set(orgId, reserved);
    try {
      return await task(reserved);
    } finally {
      const { tokens, cost } = this.#reserved.get(orgId) ?? next;
      const left = { tokens: tokens - next.tokens, cost: cost - next.cost };
      if (left.tokens > 0) this.#reserved.set(orgId, left);
      else this.#reserved.delete(orgId);
    }
  }

  #begin(orgId: OrgId, key: string, task: (signal: AbortSignal) => Promise<void>): Shared {
    const abort = new AbortController();
    const work = async () => {
      abort.signal.throwIfAborted();
      await task(abort.signal);
    };
    const answer = this.#queue.run(orgId, work).finally(() => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    });
    answer.catch(() => undefined);
    const shared: Shared = { answer, abort, callers: 0 };
    this.#shared.set(key, shared);
    // Who comes after the last caller has left starts again.
    abort.signal.addEventListener('abort', () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    });
    return shared;
  }
}
