import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Probe {
  url: string;
  cookie: string;
  /** Between an answer and the next request. */
  pauseMs: number;
  seconds: number;
}

/**
 * Measures consecutive requests in a thread of its own: what else the benchmark does, such as encoding large
 * bodies, must not count as time that the server took.
 * @returns the milliseconds of each
 * @throws if one is not answered with success
 */
export async function probeInThread(probe: Probe): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: probe });
  const [times] = await once(worker, 'message');
  return times;
}

async function measure({ url, cookie, pauseMs, seconds }: Probe): Promise<number[]> {
  const times: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  while (performance.now() < endsAt) {
    const from = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    times.push(performance.now() - from);
    await sleep(pauseMs);
  }
  return times;
}

if (!isMainThread) parentPort?.postMessage(await measure(workerData));
