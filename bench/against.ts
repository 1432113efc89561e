import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { median, spread } from './statistics.ts';
import { chosenParts } from './support/chosen-parts.ts';
import { checkOut } from './support/earlier-checkout.ts';
import { LiveSocket } from './support/live-socket.ts';
import { quietMachine } from './support/quiet-machine.ts';
import { sessionCookie } from './support/sign-in.ts';

const rounds = 10;
const perRound = 20;
/** The most that each kind may take, times the earlier commit. */
const mostTimes = {
  tick: 1.05,
  'GET /api/rooms': 1.05,
  'GET /api/calls': 1.05,
  'call starts': 1.25,
  'call ends': 1.25,
  'staff joins': 1.05,
  'guest joins': 1.05,
};

type Kind = keyof typeof mostTimes;
/** A timed action; it may return an untimed cleanup. */
type Action = () => Promise<void | (() => Promise<void>)>;

interface Side {
  actions: Record<Kind, Action>;
  close(): void;
}

/**
 * Compares this checkout with an earlier commit (`BENCH_AGAINST`). Both run at the same time and
 * alternate: ten rounds of twenty of each action. The result is the median of the rounds' ratios.
 * `BENCH_PARTS` names the actions to compare, separated by commas; by default all.
 */
export async function against(): Promise<Measured[]> {
  const revision = process.env.BENCH_AGAINST;
  if (!revision) throw new Error('Set BENCH_AGAINST to the commit to compare with.');
  const earlier = checkOut(revision);
  const programs: Program[] = [];
  try {
    programs.push(await startProgram());
    programs.push(await startProgram({}, undefined, undefined, 'start', earlier.root));
    const sides = await Promise.all(programs.map(prepare));
    const [ours, theirs] = sides;
    if (!ours || !theirs) throw new Error('two programs were started');
    const results = await compare(ours, theirs, earlier.hash);
    for (const side of sides) side.close();
    return results;
  } finally {
    await Promise.all(programs.map(discard));
    earlier.remove();
  }
}

async function compare(ours: Side, theirs: Side, hash: string): Promise<Measured[]> {
  const results: Measured[] = [];
  for (const kind of chosenParts(Object.keys(ours.actions)) as Kind[]) {
    const [own, other] = [ours.actions[kind], theirs.actions[kind]];
    await measure(own, other);
    const figures = [];
    for (let round = 0; round < rounds; round += 1) {
      await quietMachine(3000);
      figures.push(await measure(own, other));
    }
    const ratio = median(figures.map((figure) => figure.own / figure.other));
    const peer = median(figures.map((figure) => figure.other));
    results.push(
      compared(`against ${hash}: ${kind}`, 'ms', {
        ours: ratio * peer,
        peer,
        limit: mostTimes[kind],
        note: `ratios of the rounds: ${spread(figures.map((figure) => figure.own / figure.other))}`,
      }),
    );
  }
  return results;
}

/** Runs one round, alternating, so that a disturbance affects both. @returns the medians, in milliseconds */
async function measure(own: Action, other: Action): Promise<{ own: number; other: number }> {
  const times = { own: [] as number[], other: [] as number[] };
  for (let turn = 0; turn < perRound; turn += 1) {
    const isOwnFirst = turn % 2 === 0;
    if (isOwnFirst) times.own.push(await timed(own));
    times.other.push(await timed(other));
    if (!isOwnFirst) times.own.push(await timed(own));
  }
  return { own: median(times.own), other: median(times.other) };
}

async function timed(action: Action): Promise<number> {
  const from = performance.now();
  const after = await action();
  const took = performance.now() - from;
  await after?.();
  return took;
}

async function prepare({ url }: Program): Promise<Side> {
  const prepared = await prepareRoom(url, 'Against');
  const { user, roomId, items } = prepared;
  await user.send('POST', '/api/calls', { roomId });
  const token = await tokenOf(prepared);
  const panel = await LiveSocket.open(url, { channel: 'panel', token });
  const cookie = await sessionCookie(url, 'Against');
  let checked = false;
  const starting = await callsOf(prepared, 'Starting');
  const ending = await callsOf(prepared, 'Ending');
  await ending.start();
  return {
    actions: {
      tick: async () => {
        checked = !checked;
        const saved = panel.next((message) => message.type === 'saved');
        panel.send({
          type: 'check',
          id: `${performance.now()}`,
          itemId: items[0]?.id ?? '',
          checked,
        });
        await saved;
      },
      'GET /api/rooms': () => read(`${url}/api/rooms`, cookie),
      'GET /api/calls': () => read(`${url}/api/calls`, cookie),
      'call starts': async () => {
        await starting.start();
        return () => starting.end();
      },
      'call ends': async () => {
        await ending.end();
        return () => ending.start();
      },
      // Leaving ends the person's panel, too, so these are the last ones.
      'staff joins': async () => enter(url, await tokenOf(prepared)),
      'guest joins': () => joinAsGuest(url, prepared),
    },
    close: () => panel.close(),
  };
}

/** Starts and ends calls in a room with a checklist of two items. */
async function callsOf({ user, roomId }: Prepared, topic: string) {
  const { playbookId } = await user.send<{ playbookId: string }>('GET', `/api/rooms/${roomId}`);
  const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic, playbookId });
  let running = '';
  return {
    start: async () => {
      const call = await user.send<{ id: string }>('POST', '/api/calls', { roomId: room.id });
      running = call.id;
    },
    end: async () => {
      await user.send('PUT', `/api/calls/${running}`, { endForEveryone: true });
    },
  };
}

async function tokenOf({ user, roomId }: Prepared): Promise<string> {
  const path = `/api/rooms/${roomId}`;
  return (await user.send<{ meetingToken: string }>('GET', path)).meetingToken;
}

/** From opening the socket to the welcome. @returns a function that leaves */
async function enter(url: string, token: string): Promise<() => Promise<void>> {
  const media = { audio: true, video: true };
  const socket = await LiveSocket.open(url, { channel: 'meeting', token, name: 'Ada', media });
  return () => socket.left();
}

async function joinAsGuest(url: string, { guestUrl }: Prepared) {
  const answer = await fetch(`${url}/api${new URL(guestUrl).pathname}`);
  const { meetingToken } = await answer.json();
  return enter(url, meetingToken);
}

async function read(address: string, cookie: string): Promise<void> {
  const answer = await fetch(address, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  await answer.arrayBuffer();
}
