import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { IdlePages } from './support/idle-pages.ts';
import { LiveSocket } from './support/live-socket.ts';
import { held } from './support/process-memory.ts';

const pages = 10_000;
/** As many guests of one link and address may be in the preview. */
const pagesOfRoom = 20;
const restSeconds = 30;
const most = { kilobytes: 60, cores: 0.3, reconnectSeconds: 30, silenceMs: 1_000 };
/** Ticks of the kernel's clock, in which /proc reports processor time. */
const ticksPerSecond = 100;

/**
 * Measures 10,000 idle pages of guests on one process: their memory and processor time, and what a running call
 * notices while all of them reconnect.
 */
export async function idle(): Promise<Measured[]> {
  const program = await startProgram();
  const pid = program.process.pid ?? 0;
  try {
    const prepared = await prepareRoom(program.url, 'Idle');
    const tokens = await guestTokens(prepared);
    const call = await CallWatch.open(program, prepared);
    const before = held(pid);
    const open = await IdlePages.open(program.url, tokens);
    await sleep(5_000);
    const kilobytes = (held(pid) - before) / 1024 / pages;
    const spent = processorSeconds(pid);
    await sleep(restSeconds * 1000);
    const cores = (processorSeconds(pid) - spent) / restSeconds;
    const calmMs = call.longestMs();
    const seconds = await open.reconnect();
    const disturbedMs = call.longestMs();
    call.close();
    await open.close();
    return [
      plain(`idle: memory for each of ${pages} pages`, 'KB', kilobytes, most.kilobytes),
      plain('idle: processor time of all in a second', 'CPU s', cores, most.cores),
      plain('idle: all of them reconnect', 'ms', seconds * 1000, most.reconnectSeconds * 1000),
      plain(
        'idle: longest answer to a running call meanwhile',
        'ms',
        disturbedMs,
        most.silenceMs,
        `${calmMs.toFixed(0)} ms before`,
      ),
    ];
  } finally {
    await discard(program);
  }
}

async function guestTokens({ user }: Prepared): Promise<string[]> {
  const tokens: string[] = [];
  for (let count = 0; count < pages / pagesOfRoom; count += 1) {
    const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: 'Idle' });
    const link = await user.send<{ url: string }>('GET', `/api/rooms/${room.id}/guest-link`);
    const join = `/api/join/${new URL(link.url).pathname.split('/').at(-1)}`;
    const guests = await Promise.all(
      Array.from({ length: pagesOfRoom }, () => user.send<{ meetingToken: string }>('GET', join)),
    );
    tokens.push(...guests.map(({ meetingToken }) => meetingToken));
  }
  return tokens;
}

/** Returns the processor time of a process and all its threads. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** A call whose page pings as in a call, and the longest time that an answer took. */
class CallWatch {
  readonly #socket: LiveSocket;
  readonly #timer: NodeJS.Timeout;
  #askedAt = performance.now();
  #isWaiting = false;
  #longestMs = 0;

  private constructor(socket: LiveSocket) {
    this.#socket = socket;
    socket.hear(({ type }) => {
      if (type !== 'pong') return;
      this.#longestMs = Math.max(this.#longestMs, performance.now() - this.#askedAt);
      this.#isWaiting = false;
    });
    this.#timer = setInterval(() => {
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      this.#askedAt = performance.now();
      socket.ping();
    }, 100);
  }

  static async open({ url }: Program, { user, roomId }: Prepared): Promise<CallWatch> {
    const { meetingToken } = await user.send<{ meetingToken: string }>(
      'GET',
      `/api/rooms/${roomId}`,
    );
    await user.send('POST', '/api/calls', { roomId });
    const hello = { channel: 'panel', token: meetingToken } as const;
    return new CallWatch(await LiveSocket.open(url, hello));
  }

  /** Returns the longest since the last time that this was asked; an answer that is missing counts until now. */
  longestMs(): number {
    const missing = this.#isWaiting ? performance.now() - this.#askedAt : 0;
    const longest = Math.max(this.#longestMs, missing);
    this.#longestMs = 0;
    return longest;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#socket.close();
  }
}
