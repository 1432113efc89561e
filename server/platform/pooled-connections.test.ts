import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import type { Connection, Database } from './database.ts';
import { openJobs } from './jobs.ts';

let app: TestApp;
let ada: OrgId;
let ben: OrgId;
/** One connection, so that each use gets the connection of the previous one. */
let database: Database;
beforeAll(async () => {
  app = await openTestApp();
  [ada, ben] = [await withRoom('Ada’s'), await withRoom('Ben’s')];
});
beforeEach(() => {
  database = app.openDatabase(1);
});
afterEach(() => database.close());
afterAll(() => app.close());

async function withRoom(topic: string): Promise<OrgId> {
  const person = await newOrganization(app);
  await person.call(createRoom, { body: { topic } });
  const { orgId } = person.user;
  if (orgId === null) throw new Error('a new person has an organization');
  return orgId;
}

const topics = async ({ query }: Pick<Connection, 'query'>) =>
  (await query('select topic from rooms order by topic', [])).rows.map(({ topic }) => topic);
const seenBy = (tenant: OrgId | 'outside') => database.connection(tenant, topics);
const seenInTransaction = (tenant: OrgId | 'outside') => database.transaction(tenant, topics);

test('a query outside of tenants sees no rows of the connection’s previous tenant', async () => {
  expect(await seenBy(ada)).toEqual(['Ada’s']);
  expect(await seenBy('outside')).toEqual([]);
  expect(await seenInTransaction(ada)).toEqual(['Ada’s']);
  expect(await seenInTransaction('outside')).toEqual([]);
});

test('the next tenant on a connection sees only its own rows', async () => {
  for (const [tenant, own] of [
    [ada, 'Ada’s'],
    [ben, 'Ben’s'],
    [ada, 'Ada’s'],
  ] as const) {
    expect(await seenBy(tenant)).toEqual([own]);
    expect(await seenBy('outside')).toEqual([]);
    expect(await seenInTransaction(tenant)).toEqual([own]);
  }
});

test('a connection is clean after a tenant’s statement or transaction failed', async () => {
  const failing = [
    () => database.connection(ada, ({ query }) => query('select nonsense', [])),
    () => database.transaction(ada, ({ query }) => query('select 1 / 0', [])),
    () => database.transaction(ada, () => Promise.reject(new Error('changed my mind'))),
    () => database.transaction('outside', ({ query }) => query('select nonsense', [])),
  ];
  for (const fail of failing) {
    await expect(fail()).rejects.toThrow();
    expect(await seenBy('outside')).toEqual([]);
    expect(await seenBy(ben)).toEqual(['Ben’s']);
    await expect(fail()).rejects.toThrow();
    expect(await seenInTransaction('outside')).toEqual([]);
    expect(await seenBy(ada)).toEqual(['Ada’s']);
  }
});

test('a transaction that a use left open does not reach the next use', async () => {
  await expect(
    database.connection(ada, ({ query }) => query('begin; select nonsense', [])),
  ).rejects.toThrow();
  expect(await seenBy('outside')).toEqual([]);
  await database.connection(ada, async ({ query }) => {
    await query('begin', []);
    await query(`update rooms set topic = 'lost'`, []);
  });
  expect(await seenBy('outside')).toEqual([]);
  expect(await seenBy(ada)).toEqual(['Ada’s']);
});

test('many concurrent uses on few connections each see only their own rows', async () => {
  const own = { [ada]: ['Ada’s'], [ben]: ['Ben’s'], outside: [] as string[] };
  const uses = Array.from(
    { length: 60 },
    (_, index) => ([ada, 'outside', ben] as const)[index % 3],
  );
  const seen = await Promise.all(uses.map((tenant = 'outside') => seenBy(tenant)));
  expect(seen).toEqual(uses.map((tenant = 'outside') => own[tenant]));
});

test('a tenant that keeps its connection sends no additional statement', async () => {
  await seenBy(ada);
  const before = database.counts.statements;
  await seenBy(ada);
  await seenBy(ada);
  expect(database.counts.statements - before).toBe(2);
});

test('what looks for due work uses three connections, none of them a request’s, and sees no rows of a tenant', async () => {
  const pidOf = async ({ query }: Pick<Connection, 'query'>) =>
    (await query('select pg_backend_pid() as pid, pg_sleep(0.01)', [])).rows[0]?.pid;
  const ofRequests = await database.connection(ada, pidOf);
  const pids = await Promise.all(Array.from({ length: 12 }, () => database.background(pidOf)));
  expect(new Set(pids).size).toBe(3);
  expect(pids).not.toContain(ofRequests);
  expect(await database.background(topics)).toEqual([]);
});

test('the job queue starts while requests hold all of their connections', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const request = database.connection(ada, () => answered);
  const jobs = openJobs(database, app.services.log);
  await expect(jobs.start()).resolves.toBeUndefined();
  await jobs.stop();
  answer();
  await request;
});
