import { type ResourceLimits, Worker } from 'node:worker_threads';

/** The worker was ended: its task took too long, or broke it. What it held in memory is gone. */
export class WorkerEnded extends Error {
  readonly tookTooLong: boolean;

  constructor(reason: string, tookTooLong: boolean) {
    super(reason);
    this.name = 'WorkerEnded';
    this.tookTooLong = tookTooLong;
  }
}

export interface TimedWorkerOptions {
  program: URL;
  /** The worker's memory is given back after so long without a task. */
  idleMs: number;
  resourceLimits: ResourceLimits;
}

interface Running<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** A busy machine may give the worker this many times less of its processors than it asks for. */
const mostStretch = 8;

/**
 * A worker thread that runs one task at a time, each with a limit of processor time. A task past its
 * limit ends the thread; the next one starts another. The program posts one message when it is ready,
 * and then one for each that it gets.
 */
export class TimedWorker<Task, Answer> {
  readonly #options: TimedWorkerOptions;
  #worker: Worker | null = null;
  #ready: Promise<void> = Promise.resolve();
  #task: Running<Answer> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #generation = 0;

  constructor(options: TimedWorkerOptions) {
    this.#options = options;
  }

  /** Another number for each thread: what an earlier one kept in memory is not there any more. */
  get generation(): number {
    return this.#worker ? this.#generation : this.#generation + 1;
  }

  /** To call when no task runs. @throws WorkerEnded */
  async run(task: Task, limitMs: number): Promise<Answer> {
    clearTimeout(this.#timer);
    const worker = this.#worker ?? this.#start();
    worker.ref();
    try {
      await this.#ready;
      return await new Promise<Answer>((resolve, reject) => {
        this.#task = { resolve, reject };
        const usedBefore = processorMs(worker);
        worker.postMessage(task);
        this.#watch(worker, usedBefore, limitMs, mostStretch);
      });
    } finally {
      clearTimeout(this.#timer);
      this.#task = null;
      // A program that wants to end is not kept from it by a thread without a task.
      worker.unref();
      this.#timer = setTimeout(() => this.#stop(), this.#options.idleMs).unref();
    }
  }

  #start(): Worker {
    const { program, resourceLimits } = this.#options;
    const worker = new Worker(program, { resourceLimits });
    this.#worker = worker;
    this.#generation += 1;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    this.#ready = promise;
    worker.once('message', () => {
      worker.on('message', (answer: Answer) => this.#task?.resolve(answer));
      resolve();
    });
    worker.on('error', (error) => {
      reject(new WorkerEnded(String(error), false));
      if (worker === this.#worker) this.#fail(String(error), false);
    });
    worker.on('exit', () => {
      reject(new WorkerEnded('the thread ended', false));
      if (worker === this.#worker) this.#fail('the thread ended', false);
    });
    return worker;
  }

  /** Looks again while the thread has not had the time that is its limit. */
  #watch(worker: Worker, usedBefore: Promise<number>, limitMs: number, checksLeft: number): void {
    const task = this.#task;
    this.#timer = setTimeout(async () => {
      const used = (await processorMs(worker)) - (await usedBefore);
      if (task !== this.#task) return;
      if (used < limitMs * 0.8 && checksLeft > 1) {
        this.#watch(worker, usedBefore, limitMs, checksLeft - 1);
      } else this.#fail(`it took more than ${limitMs} ms`, true);
    }, limitMs);
  }

  #fail(reason: string, tookTooLong: boolean): void {
    this.#stop();
    this.#task?.reject(new WorkerEnded(reason, tookTooLong));
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }
}

/** Processor time of the thread so far; of one that is ending, more than any limit. */
async function processorMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
