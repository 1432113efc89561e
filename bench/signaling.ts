import { setTimeout as sleep } from 'node:timers/promises';
import { prepareRoom } from '../e2e/support/api.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { median, quantile, spread } from './statistics.ts';
import { LiveSocket } from './support/live-socket.ts';
import { quietMachine } from './support/quiet-machine.ts';

const rooms = 500;
/** Each side of each room sends one message per interval. */
const everyMs = 2_000;
const rounds = 10;
/** Until the server's code for it is compiled, and the garbage of 1000 hellos is collected. */
const warmUpRounds = 1;
const quietWithinMs = 20_000;
const atOnce = 8;
const mostOverMedian = 5;
const patienceMs = 10_000;

interface Pair {
  /** In this order: the first sends to the second. */
  sides: [LiveSocket, LiveSocket];
  ids: [string, string];
}

/**
 * 500 calls of two on one process, whose pages exchange WebRTC signals. The measured time is from
 * just before one page's `send` until the other page's socket delivers the message: both sockets
 * and the server between them. All pages are sockets of this one process, separate from the
 * server's. They send one after the other, evenly over each two seconds, so that no message waits
 * for another of the same burst. How late this process itself was to send is shown beside the
 * result, because on a busy machine that delay dominates.
 */
export async function signaling(): Promise<Measured[]> {
  const program = await startProgram();
  const pairs: Pair[] = [];
  try {
    const { user } = await prepareRoom(program.url, 'Signaling');
    const enter = async () => {
      const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: 'Signaling' });
      const path = `/api/rooms/${room.id}`;
      const staff = await user.send<{ meetingToken: string }>('GET', path);
      const link = await user.send<{ url: string }>('GET', `${path}/guest-link`);
      const joinPath = `/api/join/${new URL(link.url).pathname.split('/').at(-1)}`;
      const guest = await user.send<{ meetingToken: string }>('GET', joinPath);
      pairs.push(await meet(program.url, staff.meetingToken, guest.meetingToken));
    };
    for (let made = 0; made < rooms; made += atOnce) {
      await Promise.all(Array.from({ length: Math.min(atOnce, rooms - made) }, enter));
    }
    await quietMachine(quietWithinMs);
    return judged(await talk(pairs));
  } finally {
    for (const { sides } of pairs) for (const side of sides) side.close();
    await discard(program);
  }
}

async function meet(url: string, staff: string, guest: string): Promise<Pair> {
  const media = { audio: true, video: true };
  const first = await LiveSocket.open(url, { channel: 'meeting', token: staff, media });
  const second = await LiveSocket.open(url, {
    channel: 'meeting',
    token: guest,
    name: 'Grace',
    media,
  });
  return { sides: [first, second], ids: [first.self, second.self] };
}

interface Talk {
  /** Milliseconds that each message took. */
  times: number[];
  /** Messages lost, out of `sent`. */
  lost: number;
  sent: number;
  /** How late this process was to send, each time. */
  lateness: number[];
}

/** Sends evenly over the pairs, like calls that began at random times. */
async function talk(pairs: readonly Pair[]): Promise<Talk> {
  const heard: { sentAt: number; tookMs: number }[] = [];
  for (const { sides } of pairs) {
    for (const side of sides) {
      side.hear((message) => {
        if (message.type !== 'signal') return;
        const [, at] = message.signal.candidate?.candidate?.split(' at ') ?? [];
        heard.push({ sentAt: Number(at), tookMs: performance.now() - Number(at) });
      });
    }
  }
  const lateness: number[] = [];
  let sent = 0;
  const speak = ({ sides, ids }: Pair, side: 0 | 1) => {
    const to = ids[side === 0 ? 1 : 0];
    const candidate = `candidate:1 1 udp 2122260223 192.0.2.1 54400 typ host at ${performance.now()}`;
    sides[side].send({ type: 'signal', to, signal: { candidate: { candidate, sdpMid: '0' } } });
    sides[side].ping();
    sent += 1;
  };
  const steps = pairs.flatMap((pair) => [() => speak(pair, 0), () => speak(pair, 1)]);
  const startedAt = performance.now();
  let measuredFrom = startedAt;
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    if (round === 0) measuredFrom = performance.now();
    for (const [index, step] of steps.entries()) {
      const due = startedAt + (warmUpRounds + round + index / steps.length) * everyMs;
      await sleep(Math.max(0, due - performance.now()));
      if (round >= 0) lateness.push(performance.now() - due);
      step();
    }
  }
  const deadline = performance.now() + patienceMs;
  while (heard.length < sent && performance.now() < deadline) await sleep(50);
  const times = heard.filter(({ sentAt }) => sentAt >= measuredFrom).map(({ tookMs }) => tookMs);
  return { times, lost: sent - heard.length, sent, lateness };
}

function judged({ times, lost, sent, lateness }: Talk): Measured[] {
  const [middle, late] = [median(times), quantile(times, 0.99)];
  const overMedian = {
    ...plain('signaling: 500 rooms of two, p99 of a relayed message', 'ms', late, null),
    peer: middle,
    value: late / middle,
    limit: { at: 'most' as const, value: mostOverMedian, text: `≤ ${mostOverMedian} × median` },
    note: `${spread(times)}, slowest ${quantile(times, 1).toFixed(1)}; the pages themselves p99 ${quantile(lateness, 0.99).toFixed(1)} late`,
  };
  const note = `${sent - lost} of ${sent} arrived`;
  return [overMedian, plain('signaling: messages lost', 'messages', lost, 0, note)];
}
