import { FairQueue } from './fair-queue.ts';
import { TimedWorker, type TimedWorkerOptions, WorkerEnded } from './timed-worker.ts';

export interface SharedThreadOptions<Answer = unknown> extends TimedWorkerOptions {
  /** Processor time per task. */
  limitMs: number;
  /** Waiting tasks of one key; 200 by default. */
  mostWaiting?: number;
  /** Waiting tasks in all (FairQueue). */
  mostInAll?: number;
  /** Whether an answer puts its key last, as a task that took too long does. */
  putsLast?: (answer: Answer) => boolean;
}

/**
 * A worker thread that starts with the first task, runs one task at a time, and ends after a while
 * without tasks. Keys (organizations, networks) take turns. A key whose task took too long comes
 * last for ten minutes. A task that fails affects no other task.
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
        // A task that broke the thread also comes last, because the next task has to start a new
        // one.
        if (error instanceof WorkerEnded) this.putLast(key);
        throw error;
      }
    });
  }

  /** Puts tasks of this key behind all others for the next ten minutes. */
  putLast(key: string): void {
    this.#queue.overran(key);
  }
}

export const openSharedThread = (options: SharedThreadOptions) =>
  new SharedThread<unknown, unknown>(options);
