import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keptSecret } from '#server/platform/secrets.ts';
import { prepareRoom } from '../e2e/support/api.ts';
import { ownerLogin, socketFolder } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { median, spread } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { load } from './support/load.ts';
import { sessionCookie } from './support/sign-in.ts';

const topic = 'Checks';
const rounds = 9;
const shot = { connections: 32, seconds: 2 };
const made = { topic: 'Quarterly review' };

/** Measures the cost of permission, tenant and audit: a handler with them against the same one without. */
export async function checks(): Promise<Measured[]> {
  const program = await startProgram();
  const folder = mkdtempSync(join(tmpdir(), 'rapport-checks-'));
  try {
    const { user } = await prepareRoom(program.url, topic);
    for (let count = 1; count < 10; count += 1) await user.send('POST', '/api/rooms', made);
    const { orgId } = await user.send<{ orgId: string }>('GET', '/api/user');
    const cookie = await sessionCookie(program.url, topic);
    const server = await startBare('checks-server', {
      BENCH_ACCOUNT: JSON.stringify({ orgId }),
      BENCH_OWNER: JSON.stringify(ownerLogin(program.dataDir)),
      SECRET_KEY: keptSecret(program.dataDir),
      DATABASE_URL: databaseUrl(program),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
    });
    const base = `http://127.0.0.1:${server.port}`;
    await sameRooms(base, cookie);
    const read = await interleaved(`${base}/api/rooms`, `${base}/api/unchecked-rooms`, cookie);
    const unasked = await interleaved(`${base}/api/rooms`, `${base}/api/unasked-rooms`, cookie);
    await user.send('POST', '/api/rooms', made);
    const write = await interleaved(
      `${base}/api/rooms`,
      `${base}/api/unaudited-rooms`,
      cookie,
      made,
    );
    await auditedAlone(program, orgId);
    server.stop();
    const what = `${shot.connections} connections`;
    return [
      row(`checks: a read with permission and tenant (10 rooms, ${what})`, read, 1.5),
      row('checks: the same, against one that looks up no session either', unasked, undefined),
      row(`checks: a write with its audit row (a room made, ${what})`, write, 1.25),
    ];
  } finally {
    await discard(program);
    rmSync(folder, { recursive: true, force: true });
  }
}

function databaseUrl({ dataDir }: Program): string {
  const { user, password, database } = ownerLogin(dataDir);
  return `postgres://${user}:${password}@localhost/${database}?host=${socketFolder(dataDir)}`;
}

async function sameRooms(base: string, cookie: string): Promise<void> {
  const [one, other] = await Promise.all(
    ['/api/rooms', '/api/unchecked-rooms'].map(async (path) =>
      (await fetch(base + path, { headers: { cookie } })).text(),
    ),
  );
  if (one !== other || !one?.startsWith('[{')) throw new Error('the two answer different rooms');
  const refused = await fetch(`${base}/api/rooms`);
  if (refused.status !== 401) throw new Error('the one with checks lets anybody in');
}

/** About half of the created rooms must have an audit event; otherwise nothing was compared. */
async function auditedAlone({ dataDir }: Program, orgId: string): Promise<void> {
  const owner = new pg.Client(ownerLogin(dataDir));
  await owner.connect();
  const { rows } = await owner.query(
    `select (select count(*) from rooms where org_id = $1)::int as rooms,
      (select count(*) from audit_events where org_id = $1 and action = 'ROOM_CREATED')::int as events`,
    [orgId],
  );
  await owner.end();
  const share = rows[0].events / rows[0].rooms;
  if (share < 0.25 || share > 0.75) throw new Error(`${share} of the rooms made have an event`);
}

/** Returns the milliseconds of server time for each request, with and without. */
async function interleaved(ours: string, without: string, cookie: string, body?: object) {
  const shoot = async (url: string) =>
    1000 / (await load(url, { cookie }, { ...shot, body })).requestsPerSecond;
  await shoot(ours);
  await shoot(without);
  const times = { ours: [] as number[], without: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.ours.push(await shoot(ours));
    times.without.push(await shoot(without));
  }
  return times;
}

const row = (
  name: string,
  times: { ours: number[]; without: number[] },
  limit: number | undefined,
): Measured =>
  compared(name, 'ms', {
    ours: median(times.ours),
    peer: median(times.without),
    ...(limit === undefined ? {} : { limit }),
    note: `a request; ${spread(times.ours)}`,
  });
