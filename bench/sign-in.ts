import { spawnSync } from 'node:child_process';
import { prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { median, quantile } from './statistics.ts';
import { LiveSocket } from './support/live-socket.ts';

const attemptsPerSecond = 20;
const blocks = 5;
const ticksPerBlock = 60;
/** Between two ticks, as when a person works through a checklist quickly. */
const pauseMs = 40;
const mostRatio = 1.5;

/**
 * Measures the effect of 20 sign-in attempts a second on calls in progress, with the server on one
 * core: ticks from one page to the other, in alternating blocks with and without the attempts.
 */
export async function signIn(): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const pinned = pinToOneCore(program);
    const { user, roomId, items } = await prepareRoom(program.url, 'Sign-in');
    await user.send('POST', '/api/calls', { roomId });
    const open = async () => {
      const room = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${roomId}`);
      return LiveSocket.open(program.url, { channel: 'panel', token: room.meetingToken });
    };
    const pair = [await open(), await open()] as const;
    const tick = ticker(pair, items[0]?.id ?? '');
    await ticks(tick);
    const idle: number[] = [];
    const busy: number[] = [];
    const answers: number[] = [];
    let seconds = 0;
    for (let block = 0; block < blocks; block += 1) {
      idle.push(...(await ticks(tick)));
      const from = performance.now();
      const tries = keepTrying(program);
      busy.push(...(await ticks(tick)));
      seconds += (performance.now() - from) / 1000;
      answers.push(...(await tries.stop()));
    }
    for (const socket of pair) socket.close();
    return judged({ idle, busy, answers, seconds, pinned });
  } finally {
    await discard(program);
  }
}

/** Pins all threads of the server only: its database and this process use the other cores. */
function pinToOneCore({ process: { pid } }: Program): boolean {
  return spawnSync('taskset', ['-a', '-p', '-c', '0', String(pid)]).status === 0;
}

function ticker([one, other]: readonly [LiveSocket, LiveSocket], itemId: string) {
  let checked = false;
  return async () => {
    checked = !checked;
    const told = other.next((message) => message.type === 'checked');
    const stored = one.next((message) => message.type === 'saved');
    const from = performance.now();
    one.send({ type: 'check', id: `${from}`, itemId, checked });
    await told;
    const took = performance.now() - from;
    await stored;
    // Without a ping the server treats the page as gone.
    other.send({ type: 'ping', sequence: 0 });
    return took;
  };
}

async function ticks(tick: () => Promise<number>): Promise<number[]> {
  const took = [];
  for (let turn = 0; turn < ticksPerBlock; turn += 1) {
    took.push(await tick());
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return took;
}

let people = 0;
/** Sends attempts with wrong passwords evenly, without waiting for the answers. */
function keepTrying(program: Program) {
  const pending: Promise<number>[] = [];
  const attempt = async () => {
    people += 1;
    const from = performance.now();
    const { status } = await fetch(`${program.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `x${people}@example.com`, password: 'not that one' }),
    });
    if (status !== 401) throw new Error(`a try was answered with ${status}`);
    return performance.now() - from;
  };
  const timer = setInterval(() => pending.push(attempt()), 1000 / attemptsPerSecond);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(pending);
    },
  };
}

function judged(of: {
  idle: number[];
  busy: number[];
  answers: number[];
  seconds: number;
  pinned: boolean;
}): Measured[] {
  const { idle, busy, answers, seconds, pinned } = of;
  const where = pinned ? 'server on one core' : 'server not pinned: no taskset here';
  const p95 = `p95 ${quantile(busy, 0.95).toFixed(1)} against ${quantile(idle, 0.95).toFixed(1)} ms`;
  const peer = median(idle);
  const most = mostRatio * peer;
  const ratio = (median(busy) / peer).toFixed(2);
  const name = 'sign-in: a tick during 20 tries a second, against idle';
  const note = `${ratio} ×, ${p95}, n=${busy.length}, ${where}`;
  return [
    {
      ...plain(name, 'ms', median(busy), most, note),
      peer,
      limit: { at: 'most', value: most, text: `≤ ${mostRatio} × idle = ${most.toFixed(1)}` },
    },
    plain(
      'sign-in: a try answered, at 20 a second',
      'ms',
      median(answers),
      1000,
      `${(answers.length / seconds).toFixed(1)} a second, p95 ${quantile(answers, 0.95).toFixed(0)} ms`,
    ),
  ];
}
