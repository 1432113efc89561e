import pg from 'pg';
import { type Filled, makeManyCalls, makeSmallOrganizations } from '#server/testing/many-calls.ts';
import { prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain, compared as ratio } from './report.ts';
import { quantile, spread } from './statistics.ts';
import { ownerLogin } from './support/own-database.ts';
import { quietMachine } from './support/quiet-machine.ts';
import { writeScalePage } from './support/scale-page.ts';
import { sessionCookie } from './support/sign-in.ts';

const fullSize = 1_000_000;
const large = {
  calls: Number(process.env.BENCH_CALLS ?? fullSize),
  rooms: 200,
  agents: 20,
  days: 1095,
};
/** Its lists are as long: 50 rooms with 20 calls each. */
const small = { ...large, calls: 1_000, rooms: 50 };
const smallOrganizations = 5_000;
const samples = 100;

/**
 * Measures every list and page with many calls against the same with 1,000 calls: two organizations of one
 * program, asked in turn. `BENCH_CALLS` makes a smaller one. The full size is written to docs/scale.md.
 */
export async function size(): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const sides = {
      large: await prepare(program, 'Large'),
      small: await prepare(program, 'Small'),
    };
    const login = ownerLogin(program.dataDir);
    const startedAt = performance.now();
    await makeSmallOrganizations(login, smallOrganizations);
    const filled: Filled[] = [
      { orgId: sides.small.orgId, ...small },
      { orgId: sides.large.orgId, ...large },
    ];
    await makeManyCalls(login, filled, (line) => console.log(`  ${line}`));
    const seconds = (performance.now() - startedAt) / 1000;
    const generated = plain(`size: making ${large.calls} calls`, 'ms', seconds * 1000, 180_000);
    await requireCounted(program, sides.large, large.calls);
    await requireCounted(program, sides.small, small.calls);
    const compared = await compare(program, login, sides);
    if (large.calls === fullSize) writeScalePage(compared);
    return [generated, ...compared];
  } finally {
    await discard(program);
  }
}

interface Side {
  orgId: string;
  cookie: string;
}

async function prepare({ url }: Program, topic: string): Promise<Side> {
  const { user } = await prepareRoom(url, topic);
  const { orgId } = await user.send<{ orgId: string }>('GET', '/api/user');
  return { orgId, cookie: await sessionCookie(url, topic) };
}

async function requireCounted({ url }: Program, { cookie }: Side, calls: number): Promise<void> {
  const answer = await fetch(`${url}/api/analytics`, { headers: { cookie } });
  const { totalCalls } = await answer.json();
  if (totalCalls !== calls) throw new Error(`${totalCalls} calls are counted instead of ${calls}`);
}

async function compare(
  program: Program,
  login: pg.ClientConfig,
  sides: { large: Side; small: Side },
): Promise<Measured[]> {
  const [ofLarge, ofSmall] = [
    await pathsOf(login, sides.large.orgId),
    await pathsOf(login, sides.small.orgId),
  ];
  const results: Measured[] = [];
  for (const name of Object.keys(ofLarge) as (keyof typeof ofLarge)[]) {
    await quietMachine(3000);
    const times = { large: [] as number[], small: [] as number[] };
    for (let turn = -10; turn < samples; turn += 1) {
      const took = {
        large: await timed(program.url + ofLarge[name], sides.large.cookie),
        small: await timed(program.url + ofSmall[name], sides.small.cookie),
      };
      if (turn < 0) continue;
      times.large.push(took.large);
      times.small.push(took.small);
    }
    results.push(
      ratio(`size: p95 of ${name}`, 'ms', {
        ours: quantile(times.large, 0.95),
        peer: quantile(times.small, 0.95),
        limit: 1.5,
        note: spread(times.large),
      }),
    );
  }
  return results;
}

/** What is asked for, with things of the organization. */
async function pathsOf(login: pg.ClientConfig, orgId: string) {
  const client = new pg.Client(login);
  await client.connect();
  const idOf = async (text: string) => {
    const { rows } = await client.query<{ id: string }>(text, [orgId]);
    return rows[0]?.id ?? '';
  };
  const call = await idOf(
    'select id from calls where org_id = $1 order by id desc offset 500 limit 1',
  );
  const early = await idOf('select id from calls where org_id = $1 order by id offset 30 limit 1');
  const room = await idOf('select room_id as id from calls where org_id = $1 order by id limit 1');
  const agent = await idOf(
    'select started_by as id from calls where org_id = $1 order by id limit 1',
  );
  await client.end();
  return {
    'GET /api/analytics': '/api/analytics',
    'GET /api/analytics of a room': `/api/analytics?roomId=${room}`,
    'GET /api/analytics of an agent and a room': `/api/analytics?agentId=${agent}&roomId=${room}`,
    'GET /api/rooms': '/api/rooms?limit=50',
    'GET /api/rooms, a search': '/api/rooms?search=review%2049',
    'GET /api/rooms/:id': `/api/rooms/${room}`,
    'GET /api/calls, first page': '/api/calls?limit=20',
    'GET /api/calls, last page': `/api/calls?limit=20&before=${early}`,
    'GET /api/calls of a room': `/api/calls?limit=20&roomId=${room}`,
    'GET /api/calls/:id': `/api/calls/${call}`,
    'GET /api/audit-events': '/api/audit-events?limit=50',
    'GET /api/audit-events of an action': '/api/audit-events?limit=50&action=CALL_ENDED',
    'GET /api/audit-events of a person': `/api/audit-events?limit=50&userId=${agent}`,
    'GET /api/playbooks': '/api/playbooks',
    'GET /api/billing': '/api/billing',
  };
}

async function timed(address: string, cookie: string): Promise<number> {
  const from = performance.now();
  const answer = await fetch(address, { headers: { cookie } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return performance.now() - from;
}
