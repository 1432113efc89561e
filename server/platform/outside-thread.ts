import { Worker } from 'node:worker_threads';
import type { OutsideAnswer, OutsideOutcome, OutsideTask } from './outside-tasks.ts';

const program = new URL('./outside-worker.ts', import.meta.url);
/** The thread ends, and frees its memory, after this long without a request. */
const idleMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  resolve: (answer: OutsideAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * The thread that speaks with addresses that users enter, because their TLS and their answers cost processor time that
 * they choose. It starts with the first request.
 */
export class OutsideThread {
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @throws Error why there is no answer, as the end of a sentence; the reason of the signal */
  async request(task: Omit<OutsideTask, 'id'>, signal: AbortSignal): Promise<OutsideAnswer> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>();
    this.#waiting.set(id, { resolve, reject });
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    else this.#worker.postMessage({ ...task, id } satisfies OutsideTask);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  #start(): Worker {
    const worker = new Worker(program, { resourceLimits });
    worker.on('message', (outcome: OutsideOutcome | 'ready') => {
      if (outcome === 'ready') return;
      const waiting = this.#waiting.get(outcome.id);
      if (outcome.answer) waiting?.resolve(outcome.answer);
      else waiting?.reject(new Error(outcome.failure));
    });
    const end = () => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new Error('it could not be read'));
    };
    worker.on('error', end);
    worker.on('exit', end);
    return worker;
  }

  /** A thread without a request does not keep the program from ending. */
  #rest(): void {
    const worker = this.#worker;
    worker?.unref();
    this.#timer = setTimeout(() => {
      this.#worker = null;
      void worker?.terminate();
    }, idleMs).unref();
  }
}
