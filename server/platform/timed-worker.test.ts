import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { TimedWorker } from './timed-worker.ts';

/** A thread that answers when it is told to. */
class Thread extends EventEmitter {
  readonly ref = vi.fn();
  readonly unref = vi.fn();
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn(async () => 0);
  /** In microseconds. */
  used = 0;
  readonly cpuUsage = async () => ({ user: this.used, system: 0 });
}

test('R24-1: a late answer of a thread that was ended does not answer the task of the next one', async () => {
  const threads: Thread[] = [];
  const worker = new TimedWorker<string, string>(
    { program: new URL('file:///none'), idleMs: 60_000, resourceLimits: {} },
    () => {
      const thread = new Thread();
      threads.push(thread);
      return thread as unknown as Worker;
    },
  );
  const first = worker.run('of one organization', 10);
  threads[0]?.emit('message', 'ready');
  await vi.waitFor(() => expect(threads[0]?.postMessage).toHaveBeenCalledOnce());
  if (threads[0]) threads[0].used = 1_000_000;
  await expect(first).rejects.toThrow('it took more than 10 ms');

  const second = worker.run('of another one', 60_000);
  threads[1]?.emit('message', 'ready');
  await vi.waitFor(() => expect(threads[1]?.postMessage).toHaveBeenCalledOnce());
  threads[0]?.emit('message', 'the answer to the first');
  threads[1]?.emit('message', 'the answer to the second');
  expect(await second).toBe('the answer to the second');
});
