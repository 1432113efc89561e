import pg from 'pg';
import { type Filled, makeManyCalls, makeSmallOrganizations } from '#server/testing/many-calls.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain, compared as ratio } from './report.ts';
import { median, quantile, spread } from './statistics.ts';
import { chosenParts } from './support/chosen-parts.ts';
import { databaseApart } from './support/database-apart.ts';
import { PagePaints } from './support/page-paints.ts';
import { quietMachine } from './support/quiet-machine.ts';
import { writeScalePage } from './support/scale-page.ts';
import { prepare, requireCounted, type Sides } from './support/sized-organization.ts';

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
const samples = 1_000;
/** Of each page. */
const openings = 7;

/** The most times as long, for the p95 of an endpoint: the embedded database shares the process's machine and memory. */
const mostTimes = { embedded: 1.5, apart: 1.3 };
type Place = keyof typeof mostTimes;
const allParts = [
  'answers of embedded',
  'pages of embedded',
  'answers of apart',
  'pages of apart',
] as const;
/** What is measured in one place. */
type Chosen = { answers: boolean; pages: boolean };
const mostTimesToPaint = 1.3;
/** Of the dashboard's requests together. */
const mostDashboardMs = 50;

/**
 * Measures every list and page with many calls against the same with 1,000 calls: two organizations of one
 * program, asked in turn, on the embedded PostgreSQL and on one apart. `BENCH_CALLS` makes fewer calls,
 * `BENCH_DATABASE_URL` names an empty database for the second. `BENCH_PARTS` names what to measure, of `answers of
 * embedded`, `pages of embedded`, `answers of apart`, and `pages of apart`; each makes the calls again. What was
 * measured at the full size is written to docs/scale.md.
 */
export async function size(): Promise<Measured[]> {
  const parts = chosenParts(allParts);
  const of = (place: Place) => ({
    answers: parts.includes(`answers of ${place}`),
    pages: parts.includes(`pages of ${place}`),
  });
  const results: Measured[] = [];
  if (of('embedded').answers || of('embedded').pages) {
    const program = await startProgram();
    const login = ownerLogin(program.dataDir);
    results.push(...(await measure('embedded', of('embedded'), program, login)));
  }
  if (of('apart').answers || of('apart').pages) results.push(...(await measureApart(of('apart'))));
  if (large.calls === fullSize) writeScalePage(results);
  return results;
}

async function measureApart(chosen: Chosen): Promise<Measured[]> {
  const apart = await databaseApart();
  try {
    const program = await startProgram({ DATABASE_URL: apart.url });
    return await measure('apart', chosen, program, { connectionString: apart.url });
  } finally {
    await apart.close();
  }
}

async function measure(
  place: Place,
  chosen: Chosen,
  program: Program,
  login: pg.ClientConfig,
): Promise<Measured[]> {
  try {
    return await measureWithin(place, chosen, program, login);
  } finally {
    await discard(program);
  }
}

async function measureWithin(
  place: Place,
  chosen: Chosen,
  program: Program,
  login: pg.ClientConfig,
): Promise<Measured[]> {
  const sides: Sides = {
    large: await prepare(program, 'Large'),
    small: await prepare(program, 'Small'),
  };
  const startedAt = performance.now();
  await makeSmallOrganizations(login, smallOrganizations);
  const filled: Filled[] = [
    { orgId: sides.small.orgId, ...small },
    { orgId: sides.large.orgId, ...large },
  ];
  await makeManyCalls(login, filled, (line) => console.log(`  ${line}`));
  const seconds = (performance.now() - startedAt) / 1000;
  await requireCounted(program, sides.large, large.calls);
  await requireCounted(program, sides.small, small.calls);
  return [
    plain(`size, ${place}: making ${large.calls} calls`, 'ms', seconds * 1000, 180_000),
    ...(chosen.answers ? await compareAnswers(place, program, login, sides) : []),
    ...(chosen.pages ? await comparePages(place, program, login, sides) : []),
  ];
}

async function compareAnswers(
  place: Place,
  { url }: Program,
  login: pg.ClientConfig,
  { large, small }: Sides,
): Promise<Measured[]> {
  const ofLarge = await pathsOf(login, large.orgId);
  const ofSmall = await pathsOf(login, small.orgId);
  const results: Measured[] = [];
  for (const name of Object.keys(ofLarge) as (keyof typeof ofLarge)[]) {
    await quietMachine(3000);
    const times = { large: [] as number[], small: [] as number[] };
    for (let turn = -10; turn < samples; turn += 1) {
      const ours = async () => timed(url, ofLarge[name], large.cookie);
      const peer = async () => timed(url, ofSmall[name], small.cookie);
      const largeFirst = turn % 2 === 0;
      const [first, second] = largeFirst
        ? [await ours(), await peer()]
        : [await peer(), await ours()];
      if (turn < 0) continue;
      times.large.push(largeFirst ? first : second);
      times.small.push(largeFirst ? second : first);
    }
    const figures = { ours: quantile(times.large, 0.95), peer: quantile(times.small, 0.95) };
    const note = spread(times.large);
    const row = `size, ${place}: p95 of ${name}`;
    results.push(ratio(row, 'ms', { ...figures, limit: mostTimes[place], note }));
    if (name === dashboard) {
      results.push(plain(`size, ${place}: the dashboard`, 'ms', figures.ours, mostDashboardMs));
    }
  }
  return results;
}

/** The median of a page's largest contentful paint, opened by both in turn. */
async function comparePages(
  place: string,
  { url }: Program,
  login: pg.ClientConfig,
  sides: Sides,
): Promise<Measured[]> {
  const ofLarge = await pagesOf(login, sides.large.orgId);
  const ofSmall = await pagesOf(login, sides.small.orgId);
  const large = await PagePaints.open(url, sides.large.cookie);
  const small = await PagePaints.open(url, sides.small.cookie);
  const results: Measured[] = [];
  for (const name of Object.keys(ofLarge) as (keyof typeof ofLarge)[]) {
    await quietMachine(3000);
    const times = { large: [] as number[], small: [] as number[] };
    for (let turn = -2; turn < openings; turn += 1) {
      const ours = await large.largestPaintMs(...ofLarge[name]);
      const peer = await small.largestPaintMs(...ofSmall[name]);
      if (turn < 0) continue;
      times.large.push(ours);
      times.small.push(peer);
    }
    results.push(
      ratio(`size, ${place}: largest paint of ${name}`, 'ms', {
        ours: median(times.large),
        peer: median(times.small),
        limit: mostTimesToPaint,
        note: spread(times.large),
      }),
    );
  }
  await large.close();
  await small.close();
  return results;
}

/** Requests of one name are sent at the same time. */
const dashboard = 'the dashboard’s requests';

const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** What is asked for, with things of the organization. */
async function pathsOf(login: pg.ClientConfig, orgId: string) {
  const { call, early, room, agent, unscored } = await thingsOf(login, orgId);
  return {
    [dashboard]: ['/api/analytics', '/api/rooms?limit=50'],
    'GET /api/analytics': ['/api/analytics'],
    'GET /api/analytics of a room': [`/api/analytics?roomId=${room}`],
    'GET /api/analytics of an agent and a room': [`/api/analytics?agentId=${agent}&roomId=${room}`],
    'GET /api/rooms': ['/api/rooms?limit=50'],
    'GET /api/rooms, a search': ['/api/rooms?search=review%2049'],
    'GET /api/rooms/:id': [`/api/rooms/${room}`],
    'GET /api/calls, first page': ['/api/calls?limit=20'],
    'GET /api/calls, last page': [`/api/calls?limit=20&before=${early}`],
    'GET /api/calls of a room': [`/api/calls?limit=20&roomId=${room}`],
    'GET /api/calls of an agent, by score': [`/api/calls?limit=20&agentId=${agent}&sort=lowest`],
    'GET /api/calls by score, of an agent without any': [
      `/api/calls?limit=20&agentId=${unscored}&sort=lowest`,
    ],
    'GET /api/calls of a period, by length': [
      `/api/calls?limit=20&sort=longest&from=${dayAgo(60)}&to=${dayAgo(31)}`,
    ],
    'GET /api/calls, detractors in a room': [`/api/calls?limit=20&roomId=${room}&score=detractors`],
    'GET /api/calls, a search': ['/api/calls?limit=20&search=review%2049'],
    'GET /api/call-count of a period and an agent': [
      `/api/call-count?from=${dayAgo(60)}&agentId=${agent}`,
    ],
    'GET /api/analytics of a year': [`/api/analytics?from=${dayAgo(365)}`],
    'GET /api/call-choices': ['/api/call-choices'],
    'GET /api/calls/:id': [`/api/calls/${call}`],
    'GET /api/audit-events': ['/api/audit-events?limit=50'],
    'GET /api/audit-events of an action': ['/api/audit-events?limit=50&action=CALL_ENDED'],
    'GET /api/audit-events of a person': [`/api/audit-events?limit=50&userId=${agent}`],
    'GET /api/playbooks': ['/api/playbooks'],
    'GET /api/billing': ['/api/billing'],
  };
}

type Opened = [path: string, state?: unknown];

/** The pages that show lists or figures of the organization. */
async function pagesOf(login: pg.ClientConfig, orgId: string) {
  const { call, early, room } = await thingsOf(login, orgId);
  return {
    'the dashboard': ['/app'] as Opened,
    'analytics with all calls, first page': ['/app/analytics'] as Opened,
    'analytics with all calls, last page': [
      '/app/analytics',
      { turned: [{ before: early }] },
    ] as Opened,
    'analytics of a period, worst scores first': [
      '/app/analytics?period=90d&sort=lowest',
    ] as Opened,
    'a room': [`/app/rooms/${room}`] as Opened,
    rooms: ['/app/rooms'] as Opened,
    'rooms, a search': ['/app/rooms?q=review+49'] as Opened,
    'a call': [`/app/calls/${call}`] as Opened,
    playbooks: ['/app/playbooks'] as Opened,
    'the audit log': ['/app/settings/audit-logs'] as Opened,
    billing: ['/app/settings/billing'] as Opened,
  };
}

async function thingsOf(login: pg.ClientConfig, orgId: string) {
  const client = new pg.Client(login);
  await client.connect();
  const idOf = async (text: string) => {
    const { rows } = await client.query<{ id: string }>(text, [orgId]);
    return rows[0]?.id ?? '';
  };
  const ofOrg = 'from calls where org_id = $1 order by id';
  const things = {
    call: await idOf(`select id ${ofOrg} desc offset 500 limit 1`),
    early: await idOf(`select id ${ofOrg} offset 30 limit 1`),
    room: await idOf(`select room_id as id ${ofOrg} offset 1 limit 1`),
    agent: await idOf(`select started_by as id ${ofOrg} offset 1 limit 1`),
    // No guest was in their calls, so none counts as scored.
    unscored: await idOf(`select started_by as id ${ofOrg} limit 1`),
  };
  await client.end();
  return things;
}

async function timed(url: string, paths: readonly string[], cookie: string): Promise<number> {
  const from = performance.now();
  await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(url + path, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    }),
  );
  return performance.now() - from;
}
