import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keptSecret } from '#server/platform/secrets.ts';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { appLogin, ownerLogin, socketFolder } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured, plain } from './report.ts';
import { median, spread } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { countingProxy } from './support/count-round-trips.ts';
import { type Load, load } from './support/load.ts';
import { sessionCookie } from './support/sign-in.ts';

const topic = 'Api';
const rooms = 50;
const callsPerRoom = 2;
const rounds = 7;
const connections = 32;
const seconds = 3;
const countedRequests = 50;

/**
 * Measures `GET /api/rooms`, by a session and by an API token, against a bare server with the same queries on the
 * same database. The bare one counts no uses of the token.
 */
export async function api(): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const { cookie, token } = await prepare(program);
    const byToken = { authorization: `Bearer ${token}` };
    const bare = await startBare('rooms-server', {
      BENCH_DATABASE: JSON.stringify(appLogin(program.dataDir)),
    });
    const ours = `${program.url}/api/rooms`;
    const theirs = `http://127.0.0.1:${bare.port}/api/rooms`;
    const measured: Measured[] = [];
    for (const [by, headers] of [['session', { cookie }] as const, ['token', byToken] as const]) {
      await sameAnswer(ours, theirs, headers);
      measured.push(...rows(by, await interleaved(ours, theirs, headers)));
    }
    bare.stop();
    return [...measured, ...(await roundTrips(program, cookie))];
  } finally {
    await discard(program);
  }
}

/** Creates fifty rooms with a few calls each. @returns the session's cookie, and a token */
async function prepare(program: Program): Promise<{ cookie: string; token: string }> {
  const { user } = await prepareRoom(program.url, topic);
  for (let count = 1; count < rooms; count += 1) {
    await user.send('POST', '/api/rooms', { topic: `Quarterly review ${count}` });
  }
  for (const { id } of await user.send<{ id: string }[]>('GET', '/api/rooms')) {
    for (let count = 0; count < callsPerRoom; count += 1) await call(user, id);
  }
  const owner = new pg.Client(ownerLogin(program.dataDir));
  await owner.connect();
  await owner.query('vacuum analyze');
  await owner.end();
  const cookie = await sessionCookie(program.url, topic);
  const body = { name: 'Bench', scopes: ['rooms:read'], expiresInDays: 30 };
  const { token } = await user.send<{ token: string }>('POST', '/api/user/tokens', body);
  return { cookie, token };
}

async function call(user: ApiUser, roomId: string): Promise<void> {
  const started = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
  await user.send('PUT', `/api/calls/${started.id}`, { endedAt: new Date().toISOString() });
}

type Headers = Record<string, string>;

async function sameAnswer(ours: string, theirs: string, headers: Headers): Promise<void> {
  const [one, other] = await Promise.all(
    [ours, theirs].map(async (url) => (await fetch(url, { headers })).json()),
  );
  if (!Array.isArray(one) || one.length !== rooms) throw new Error('there are not all rooms');
  const same = JSON.stringify(one) === JSON.stringify(other);
  if (!same) throw new Error('the bare server answers something else: update its copy of the SQL');
}

async function interleaved(ours: string, theirs: string, headers: Headers) {
  const of = { ours: [] as Load[], theirs: [] as Load[] };
  const shoot = (url: string) => load(url, headers, { connections, seconds });
  await shoot(ours);
  await shoot(theirs);
  for (let round = 0; round < rounds; round += 1) {
    of.ours.push(await shoot(ours));
    of.theirs.push(await shoot(theirs));
  }
  return [of.ours, of.theirs] as const;
}

function rows(by: string, [ours, theirs]: readonly [Load[], Load[]]): Measured[] {
  const rates = (of: readonly Load[]) => of.map((one) => one.requestsPerSecond);
  const tails = (of: readonly Load[]) => of.map((one) => one.p99Ms);
  return [
    compared(`api: GET /api/rooms by ${by}, 50 rooms, 32 connections`, 'req/s', {
      ours: median(rates(ours)),
      peer: median(rates(theirs)),
      limit: 0.6,
      at: 'least',
      note: spread(rates(ours)),
    }),
    compared(`api: its p99 by ${by}`, 'ms', {
      ours: median(tails(ours)),
      peer: median(tails(theirs)),
      limit: 3,
      note: spread(tails(ours)),
    }),
  ];
}

/** Starts a second server on the same database, whose messages to PostgreSQL all pass a counting proxy. */
async function roundTrips(program: Program, cookie: string): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-wire-'));
  const proxy = await countingProxy(folder, socketFolder(program.dataDir));
  const { user, password, database } = ownerLogin(program.dataDir);
  const counted = await startProgram({
    SECRET_KEY: keptSecret(program.dataDir),
    DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${folder}`,
  });
  try {
    const statements: number[] = [];
    const trips: number[] = [];
    for (let count = 0; count < countedRequests; count += 1) {
      const before = { ...proxy.counts };
      await fetch(`${counted.url}/api/rooms`, { headers: { cookie } });
      statements.push(proxy.counts.statements - before.statements);
      trips.push(proxy.counts.trips - before.trips);
    }
    const note = `${median(statements)} statements; on the wire, median of ${countedRequests}`;
    return [
      plain('api: round trips to the database a request', 'trips', median(trips), null, note),
    ];
  } finally {
    await discard(counted);
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
