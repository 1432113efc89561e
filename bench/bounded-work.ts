import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured, plain } from './report.ts';
import { quantile } from './statistics.ts';
import { type Attacker, attackFor, preparedNotes } from './support/bounded-attack.ts';
import { LiveSocket } from './support/live-socket.ts';
import { probeInThread } from './support/probe-thread.ts';
import { held, postgresProcesses } from './support/process-memory.ts';
import { sessionCookie } from './support/sign-in.ts';

const rounds = 2;
const secondsOfPhase = 12;
const probeMs = 20;
/** About as many as one attacker gets answered. */
const smallPerSecond = 180;
const mostTimes = 3;
const mostAddedMB = 150;

/** Measures the effect on one organization while another sends the worst requests that the limits allow. */
export async function boundedWork(): Promise<Measured[]> {
  const program = await startProgram({ RATE_LIMIT_SCALE: '1' });
  try {
    const attacker = await prepareAttacker(program);
    const { user, roomId } = await prepareRoom(program.url, 'Calm');
    const cookie = await sessionCookie(program.url, 'Calm');
    const { meetingToken } = await user.send<{ meetingToken: string }>(
      'GET',
      `/api/rooms/${roomId}`,
    );
    const panel = await LiveSocket.open(program.url, { channel: 'panel', token: meetingToken });
    const line = watch(panel);
    const rooms = {
      url: `${program.url}/api/rooms`,
      cookie,
      pauseMs: probeMs,
      seconds: secondsOfPhase,
    };
    const phase = () => AbortSignal.timeout(secondsOfPhase * 1000);
    // V8 grows its young generation under load, so the calm state is that of a server that has
    // worked before.
    await Promise.all([small(attacker, smallPerSecond, phase()), probeInThread(rooms)]);
    const memory = weigh(program);
    const times = { attacked: [] as number[], calm: [] as number[] };
    let requests = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [count, attacked] = await Promise.all([
        attackFor(attacker, secondsOfPhase),
        probeInThread(rooms),
      ]);
      await sleep(1000);
      const [, calm] = await Promise.all([
        small(attacker, count / secondsOfPhase, phase()),
        probeInThread(rooms),
      ]);
      requests += count;
      times.attacked.push(...attacked);
      times.calm.push(...calm);
    }
    const { addedMB, note } = memory.stop();
    const lost = line.stop();
    return [
      compared('bounded work: p99 of GET /api/rooms under attack', 'ms', {
        ours: quantile(times.attacked, 0.99),
        peer: quantile(times.calm, 0.99),
        limit: mostTimes,
        note: `${requests} requests of the attacker; median ${quantile(times.attacked, 0.5).toFixed(1)} against ${quantile(times.calm, 0.5).toFixed(1)}`,
      }),
      plain('bounded work: calls of others whose socket was lost', 'calls', lost, 0),
      plain('bounded work: memory added at most', 'MB', addedMB, mostAddedMB, note),
    ];
  } finally {
    await discard(program);
  }
}

async function prepareAttacker({ url }: Program): Promise<Attacker> {
  const { user, roomId } = await prepareRoom(url, 'Attack');
  const { orgId } = await user.send<{ orgId: string }>('GET', '/api/user');
  const call = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
  await user.send('PUT', `/api/calls/${call.id}`, preparedNotes);
  const room = await user.send<{ meetingToken: string }>('GET', `/api/rooms/${roomId}`);
  const cookie = await sessionCookie(url, 'Attack');
  return { url, cookie, orgId, callId: call.id, panelToken: room.meetingToken };
}

/** The same number of small requests of the same account. */
async function small(
  { url, cookie }: Attacker,
  perSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    const request = fetch(`${url}/api/user`, { headers: { cookie } })
      .then((answer) => answer.arrayBuffer())
      .finally(() => pending.delete(request));
    pending.add(request);
    await sleep(1000 / perSecond);
  }
  await Promise.all(pending);
}

/** Pings on the other organization's panel, which the server answers while it is healthy. */
function watch(panel: LiveSocket) {
  let answered = 0;
  let asked = 0;
  panel.hear(({ type }) => {
    if (type === 'pong') answered += 1;
  });
  const timer = setInterval(() => {
    asked += 1;
    panel.ping();
  }, 1000);
  return {
    stop: () => {
      clearInterval(timer);
      panel.close();
      return asked - answered > 1 ? 1 : 0;
    },
  };
}

/** Samples the memory of the server, its child processes, and its PostgreSQL, every quarter of a second. */
function weigh(program: Program) {
  const root = program.process.pid ?? 0;
  const sum = (pids: number[]) => pids.reduce((bytes, pid) => bytes + held(pid), 0) / 2 ** 20;
  const now = () => {
    const server = sum([root]);
    const started = sum(descendants(root).slice(1));
    const postgres = sum(postgresProcesses(program.dataDir));
    return { all: server + started + postgres, server, started, postgres };
  };
  const quiet = now();
  let peak = quiet;
  const timer = setInterval(() => {
    const found = now();
    if (found.all > peak.all) peak = found;
  }, 250);
  return {
    stop: () => {
      clearInterval(timer);
      const parts = (['server', 'started', 'postgres'] as const).map(
        (part) => `${part} ${quiet[part].toFixed(0)} to ${peak[part].toFixed(0)}`,
      );
      return { addedMB: peak.all - quiet.all, note: parts.join(', ') };
    },
  };
}

/** Returns a process and its descendants except PostgreSQL, which is counted by its folder. */
function descendants(root: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
    (name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        if (/^Name:\s+postgres/m.test(status)) return -1;
        return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
      } catch {
        return -1;
      }
    },
  );
  const below = (pid: number): number[] => [
    pid,
    ...(children.get(pid) ?? []).flatMap((name) => below(Number(name))),
  ];
  return below(root);
}
