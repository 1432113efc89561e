import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LiveSocket } from './live-socket.ts';

interface Asked {
  url: string;
  tokens: string[];
}

/** Between two pings of a page outside a call (web/live/heartbeat.ts). */
const pingMs = 5_000;
/** As many sockets of one address may be without a checked token (new-sockets.ts). */
const atOnce = 50;

/** Pages of guests who have not joined yet, without the pages: a socket each, in a thread of their own. */
export class IdlePages {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Opens a socket for each token, and resolves when all are welcome. */
  static async open(url: string, tokens: string[]): Promise<IdlePages> {
    const worker = new Worker(new URL(import.meta.url), { workerData: { url, tokens } });
    const pages = new IdlePages(worker);
    await pages.#done();
    return pages;
  }

  /** Drops all sockets at once and opens them again. @returns the seconds that this took */
  async reconnect(): Promise<number> {
    this.#worker.postMessage('reconnect');
    return this.#done();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #done(): Promise<number> {
    const [seconds] = await once(this.#worker, 'message');
    return seconds;
  }
}

async function openAll({ url, tokens }: Asked): Promise<LiveSocket[]> {
  const open: LiveSocket[] = [];
  const waiting = [...tokens];
  const work = async () => {
    for (let token = waiting.pop(); token; token = waiting.pop()) {
      open.push(await LiveSocket.open(url, { channel: 'meeting', token }, 'waiting'));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return open;
}

/** Each page pings every five seconds; together they are spread evenly. */
async function ping(sockets: () => LiveSocket[]): Promise<void> {
  const steps = 100;
  for (let step = 0; ; step += 1) {
    for (const [index, socket] of sockets().entries()) {
      if (index % steps === step % steps) socket.ping();
    }
    await sleep(pingMs / steps);
  }
}

if (!isMainThread) {
  const asked: Asked = workerData;
  let sockets: LiveSocket[] = [];
  const open = async () => {
    const startedAt = performance.now();
    for (const socket of sockets.splice(0)) socket.close();
    sockets = await openAll(asked);
    parentPort?.postMessage((performance.now() - startedAt) / 1000);
  };
  parentPort?.on('message', () => void open());
  await open();
  await ping(() => sockets);
}
