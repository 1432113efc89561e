import { Worker } from 'node:worker_threads';
import { AnalyzerError } from '../port.ts';
import { outcome, type Task } from './tasks.ts';

/** The model's memory is given back when nobody asked for so long. */
const idleMs = 120_000;
/** Far above what the longest text takes that is let in. */
const patienceMs = 30_000;

interface Waiting {
  task: Task;
  resolve: (result: unknown) => void;
  reject: (error: AnalyzerError) => void;
}

/**
 * A worker that starts with the first task, does one after the other, and ends when it has had none
 * for a while. A task that it cannot do takes no other one with it.
 */
export class AnalyzerThread {
  readonly #program: URL;
  #worker: Worker | null = null;
  #running: Waiting | null = null;
  readonly #queue: Waiting[] = [];
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(program = new URL('./worker.ts', import.meta.url)) {
    this.#program = program;
  }

  /** @throws AnalyzerError */
  run(what: Task['what'], conversation: Task['conversation']): Promise<unknown> {
    this.#lastId += 1;
    const task = { id: this.#lastId, what, conversation };
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running) return;
    clearTimeout(this.#timer);
    this.#running = this.#queue.shift() ?? null;
    if (!this.#running) {
      // A program that wants to end is not kept from it by a worker that has nothing to do.
      this.#worker?.unref();
      this.#timer = setTimeout(() => this.#stopWorker(), idleMs).unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#running.task);
    this.#timer = setTimeout(() => this.#fail('it took too long'), patienceMs);
  }

  #start(): Worker {
    const worker = new Worker(this.#program);
    worker.on('message', (message: unknown) => this.#answered(message));
    // One that was ended already has nothing more to say.
    worker.on('error', (error) => {
      if (worker === this.#worker) this.#fail(String(error));
    });
    return worker;
  }

  #answered(message: unknown): void {
    const { id, result, error } = outcome.parse(message);
    const running = this.#running;
    if (running?.task.id !== id) return;
    this.#running = null;
    if (error === undefined) running.resolve(result);
    else running.reject(new AnalyzerError(`The offline analyzer failed: ${error}`));
    this.#next();
  }

  /** The next task starts a new worker. */
  #fail(reason: string): void {
    this.#stopWorker();
    const running = this.#running;
    this.#running = null;
    running?.reject(new AnalyzerError(`The offline analyzer failed: ${reason}`));
    this.#next();
  }

  #stopWorker(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }
}
