import { Worker } from 'node:worker_threads';
import { AnalyzerError } from '../port.ts';
import { outcome, type Task } from './tasks.ts';

/** The model's memory is given back when nobody asked for so long. */
const idleMs = 120_000;
/** Far above the longest text that is let in. */
const patienceMs = 30_000;

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: AnalyzerError) => void;
  timer: NodeJS.Timeout;
}

/** A worker that starts with the first task and ends when it has had none for a while. */
export class AnalyzerThread {
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  #idle: NodeJS.Timeout | undefined;

  /** @throws AnalyzerError */
  run(what: Task['what'], conversation: Task['conversation']): Promise<unknown> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end('The offline analyzer took too long.'), patienceMs);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.ref();
      worker.postMessage({ id, what, conversation } satisfies Task);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    worker.on('message', (message: unknown) => this.#answered(message));
    worker.on('error', (error) => this.#end(`The offline analyzer failed: ${String(error)}`));
    this.#worker = worker;
    return worker;
  }

  #answered(message: unknown): void {
    const { id, result, error } = outcome.parse(message);
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new AnalyzerError(error));
    if (this.#waiting.size > 0) return;
    // A waiting program is not kept from ending by a worker that has nothing to do.
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#end('idle'), idleMs).unref();
  }

  /** The next task starts a new worker. */
  #end(reason: string): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new AnalyzerError(reason));
    }
    this.#waiting.clear();
  }
}
