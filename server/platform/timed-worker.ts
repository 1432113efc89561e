import { type ResourceLimits, Worker } from 'node:worker_threads';

/** The worker was ended because its task took too long or broke it. Its memory is lost. */
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
  /** The worker ends, and frees its memory, after this long without a task. */
  idleMs: number;
  resourceLimits: ResourceLimits;
}

interface Running<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** On a busy machine the worker may get this many times less processor time than it needs. */
const mostStretch = 8;

/**
 * A worker thread that runs one task at a time, each with a limit of processor time. A task that
 * exceeds its limit ends the thread, and the next task starts another. The program posts one
 * message when it is ready, and then one answer per task.
 */
export class TimedWorker<Task, Answer> {
  readonly #options: TimedWorkerOptions;
  readonly #open: typeof openThread;
  #worker: Worker | null = null;
  #ready: Promise<void> = Promise.resolve();
  #task: Running<Answer> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #generation = 0;

  constructor(options: TimedWorkerOptions, open = openThread) {
    this.#options = options;
    this.#open = open;
  }

  /** A different number for each thread: memory of an earlier thread is lost. */
  get generation(): number {
    return this.#worker ? this.#generation : this.#generation + 1;
  }

  /**
   * Call only when no task runs.
   * @throws WorkerEnded
   */
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
      // A thread without a task does not keep the program from ending.
      worker.unref();
      this.#timer = setTimeout(() => this.#stop(), this.#options.idleMs).unref();
    }
  }

  #start(): Worker {
    const worker = this.#open(this.#options);
    this.#worker = worker;
    this.#generation += 1;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    this.#ready = promise;
    worker.once('message', () => {
      // What an ended thread still had to say is no answer to the task of the next one.
      worker.on('message', (answer: Answer) => {
        if (worker === this.#worker) this.#task?.resolve(answer);
      });
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

  /** Checks again while the thread has not used up its limit. */
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

const openThread = ({ program, resourceLimits }: TimedWorkerOptions) =>
  new Worker(program, { resourceLimits });

/** Returns the thread's processor time so far; more than any limit if it is ending. */
async function processorMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
