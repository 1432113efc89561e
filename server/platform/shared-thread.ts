import { FairQueue } from './fair-queue.ts';
import { TimedWorker, type TimedWorkerOptions, WorkerEnded } from './timed-worker.ts';

export interface SharedThreadOptions extends TimedWorkerOptions {
  /** Processor time of one task. */
  limitMs: number;
}

const mostWaiting = 200;

/**
 * A worker thread that starts with the first task, does one after the other, and ends when it has had
 * none for a while. Organizations take turns; those whose task took too long come last. A task that it
 * cannot do takes no other one with it.
 */
class SharedThread {
  readonly #queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting });
  readonly #worker: TimedWorker<unknown, unknown>;
  readonly #limitMs: number;

  constructor({ limitMs, ...options }: SharedThreadOptions) {
    this.#worker = new TimedWorker(options);
    this.#limitMs = limitMs;
  }

  /** @throws WorkerEnded, and DomainError 429 when too many tasks of the organization are waiting */
  run(org: string, task: unknown): Promise<unknown> {
    return this.#queue.run(org, async () => {
      try {
        return await this.#worker.run(task, this.#limitMs);
      } catch (error) {
        // What broke the thread cost it, too: the next task starts one.
        if (error instanceof WorkerEnded) this.#queue.overran(org);
        throw error;
      }
    });
  }
}

export const openSharedThread = (options: SharedThreadOptions) => new SharedThread(options);
