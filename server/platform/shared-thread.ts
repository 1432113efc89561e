import { FairQueue } from './fair-queue.ts';
import { TimedWorker, type TimedWorkerOptions, WorkerEnded } from './timed-worker.ts';

export interface SharedThreadOptions<Answer = unknown> extends TimedWorkerOptions {
  /** Processor time of one task. */
  limitMs: number;
  /** Tasks of one key that may wait; 200 unless given. */
  mostWaiting?: number;
  /** Tasks that may wait in all (FairQueue). */
  mostInAll?: number;
  /** Whether an answer puts its key last, as a task that took too long does. */
  putsLast?: (answer: Answer) => boolean;
}

/**
 * A worker thread that starts with the first task, does one after the other, and ends when it has had
 * none for a while. Keys (organizations, networks) take turns; those whose task took too long come last
 * for ten minutes. A task that it cannot do takes no other one with it.
 */
export class SharedThread<Task, Answer> {
  readonly #queue: FairQueue;
  readonly #worker: TimedWorker<Task, Answer>;
  readonly #limitMs: number;
  readonly #putsLast: (answer: Answer) => boolean;

  constructor({
    limitMs,
    mostWaiting = 200,
    mostInAll,
    putsLast = () => false,
    ...options
  }: SharedThreadOptions<Answer>) {
    this.#queue = new FairQueue({ atOnce: 1, perKey: 1, mostWaiting, mostInAll });
    this.#worker = new TimedWorker(options);
    this.#limitMs = limitMs;
    this.#putsLast = putsLast;
  }

  /** @throws WorkerEnded, and DomainError 429 when too many tasks of the key are waiting */
  run(key: string, task: Task): Promise<Answer> {
    return this.#queue.run(key, async () => {
      try {
        const answer = await this.#worker.run(task, this.#limitMs);
        if (this.#putsLast(answer)) this.putLast(key);
        return answer;
      } catch (error) {
        // What broke the thread cost it, too: the next task starts one.
        if (error instanceof WorkerEnded) this.putLast(key);
        throw error;
      }
    });
  }

  /** Tasks of this key come after all others from now on, for ten minutes. */
  putLast(key: string): void {
    this.#queue.overran(key);
  }
}

export const openSharedThread = (options: SharedThreadOptions) =>
  new SharedThread<unknown, unknown>(options);
