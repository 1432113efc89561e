import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { median, quantile } from './statistics.ts';
import { LiveSocket } from './support/live-socket.ts';

/** BENCH_DELIVERIES makes a shorter run. */
const deliveries = Number(process.env.BENCH_DELIVERIES ?? 10_000);
const receiverMs = 1000;
const atOnce = 50;
const quietRounds = 300;
const betweenTicksMs = 50;
/** The server closes a silent socket after 15 seconds. */
const ticksPerHeartbeat = 50;

/**
 * Measures live messages while many webhooks are delivered to a receiver that takes a second, against the same before,
 * and how fast they are delivered, against what the receiver can take.
 */
export async function webhooks(): Promise<Measured[]> {
  const receiver = await startReceiver();
  const program = await startProgram({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
  try {
    const prepared = await prepareRoom(program.url, 'Live');
    await prepared.user.send('POST', '/api/calls', { roomId: prepared.roomId });
    await prepared.user.send('POST', '/api/webhooks', {
      url: `http://127.0.0.1:${receiver.port}/`,
      events: ['room.created'],
    });
    const ticks = await openTicks(program, prepared);
    const quiet = await ticks.measure((round) => round < quietRounds);
    await queueDeliveries(program, prepared.roomId);
    const startedAt = performance.now();
    const busy = await ticks.measure(() => receiver.answered < deliveries);
    const seconds = (performance.now() - startedAt) / 1000;
    ticks.close();
    const p95 = `p95 ${quantile(busy, 0.95).toFixed(1)} against ${quantile(quiet, 0.95).toFixed(1)}`;
    return [
      compared('webhooks: a tick while they are delivered', 'ms', {
        ours: median(busy),
        peer: median(quiet),
        limit: 1.3,
        note: `${p95}, n=${busy.length}`,
      }),
      compared('webhooks: delivered to a receiver that takes a second', 'req/s', {
        ours: deliveries / seconds,
        peer: (atOnce * 1000) / receiverMs,
        limit: 0.9,
        at: 'least',
        note: `${deliveries} in ${seconds.toFixed(0)} s, ${receiver.most} at once`,
      }),
    ];
  } finally {
    receiver.close();
    await discard(program);
  }
}

async function startReceiver() {
  const counts = { now: 0, most: 0, answered: 0 };
  const server = createServer((request, response) => {
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    request.resume();
    setTimeout(() => {
      counts.now -= 1;
      counts.answered += 1;
      response.writeHead(204).end();
    }, receiverMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get answered() {
      return counts.answered;
    },
    get most() {
      return counts.most;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openTicks(program: Program, { user, roomId, items }: Prepared) {
  const open = async () => {
    const room = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${roomId}`);
    return LiveSocket.open(program.url, { channel: 'panel', token: room.meetingToken });
  };
  const [one, other] = [await open(), await open()];
  const itemId = items[0]?.id ?? '';
  let checked = false;
  const tick = async () => {
    checked = !checked;
    const told = other.next((message) => message.type === 'checked');
    const stored = one.next((message) => message.type === 'saved');
    const from = performance.now();
    one.send({ type: 'check', id: `${from}`, itemId, checked });
    await told;
    const took = performance.now() - from;
    await stored;
    return took;
  };
  return {
    measure: async (goesOn: (round: number) => boolean) => {
      const times: number[] = [];
      for (let round = 0; goesOn(round); round += 1) {
        if (round % ticksPerHeartbeat === 0) for (const socket of [one, other]) socket.ping();
        times.push(await tick());
        await new Promise((resolve) => setTimeout(resolve, betweenTicksMs));
      }
      return times;
    },
    close: () => {
      for (const socket of [one, other]) socket.close();
    },
  };
}

/** Creates rooms in one statement, of which each is an event. */
async function queueDeliveries(program: Program, roomId: string): Promise<void> {
  const client = new pg.Client(ownerLogin(program.dataDir));
  await client.connect();
  try {
    await client.query(
      `insert into rooms (id, org_id, topic, created_at)
        select gen_random_uuid(), r.org_id, 'Room ' || n, now()
        from rooms r, generate_series(1, $2) n where r.id = $1`,
      [roomId, deliveries],
    );
  } finally {
    await client.end();
  }
}
