import { WebSocket } from 'ws';
import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { median, quantile } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { LiveSocket } from './support/live-socket.ts';
import { EchoPage, TickPages } from './support/tick-pages.ts';

const socketRounds = 400;
const pageRounds = 60;
const warmUp = 30;
/** The limit allows this beside 1.5 times the echo: one frame of a 60 Hz screen. */
const frameMs = 16.7;
const factor = 1.5;

/**
 * Measures the time from a tick on one page to the tick on the other, against a bare echo that
 * commits a row.
 */
export async function live(): Promise<Measured[]> {
  const program = await startProgram();
  const echo = await startBare('echo-server', {
    BENCH_DATABASE: JSON.stringify(ownerLogin(program.dataDir)),
  });
  try {
    const prepared = await prepareRoom(program.url, 'Live');
    await prepared.user.send('POST', '/api/calls', { roomId: prepared.roomId });
    return [
      await betweenSockets(program, prepared, echo.port),
      await betweenPages(program, prepared, echo.port),
    ];
  } finally {
    echo.stop();
    await discard(program);
  }
}

/** Alternates between echo and tick, so that a disturbance affects both. */
async function alternate(rounds: number, echo: () => Promise<number>, tick: () => Promise<number>) {
  const of = { echo: [] as number[], tick: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const [one, other] = [await echo(), await tick()];
    if (round < 0) continue;
    of.echo.push(one);
    of.tick.push(other);
  }
  return of;
}

async function betweenSockets(
  program: Program,
  { user, roomId, items }: Prepared,
  echoPort: number,
): Promise<Measured> {
  const open = async () => {
    const room = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${roomId}`);
    return LiveSocket.open(program.url, { channel: 'panel', token: room.meetingToken });
  };
  const [one, other] = [await open(), await open()];
  const bare = new WebSocket(`ws://127.0.0.1:${echoPort}`, { perMessageDeflate: false });
  await new Promise((resolve) => bare.once('open', resolve));
  const itemId = items[0]?.id ?? '';
  let checked = false;
  const times = await alternate(
    socketRounds,
    async () => {
      const answered = new Promise((resolve) => bare.once('message', resolve));
      const from = performance.now();
      bare.send('{"type":"check"}');
      await answered;
      return performance.now() - from;
    },
    async () => {
      checked = !checked;
      const told = other.next((message) => message.type === 'checked');
      const stored = one.next((message) => message.type === 'saved');
      const from = performance.now();
      one.send({ type: 'check', id: `${from}`, itemId, checked });
      await told;
      const took = performance.now() - from;
      await stored;
      return took;
    },
  );
  for (const socket of [one, other]) socket.close();
  bare.terminate();
  return judged('live: a tick, socket to socket', times);
}

async function betweenPages(
  program: Program,
  prepared: Prepared,
  echoPort: number,
): Promise<Measured> {
  const pages = await TickPages.open(program.url, prepared);
  const echo = await EchoPage.open(echoPort);
  try {
    const times = await alternate(
      pageRounds,
      () => echo.roundTrip(),
      () => pages.tick(),
    );
    return judged('live: a tick, click to the other screen', times);
  } finally {
    await echo.close();
    await pages.close();
  }
}

function judged(name: string, { echo, tick }: { echo: number[]; tick: number[] }): Measured {
  const peer = median(echo);
  const most = factor * peer + frameMs;
  const p95 = `p95 ${quantile(tick, 0.95).toFixed(1)} against ${quantile(echo, 0.95).toFixed(1)}`;
  return {
    ...plain(name, 'ms', median(tick), most, `${p95}, n=${tick.length}`),
    peer,
    limit: { at: 'most', value: most, text: `≤ 1.5 × + frame = ${most.toFixed(1)}` },
  };
}
