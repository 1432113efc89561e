import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';

import type { Database } from './database.ts';
import { requestTimeouts, takesLong } from './database-timeouts.ts';
import { TenantShares } from './tenant-shares.ts';

type Person = Awaited<ReturnType<typeof newOrganization>>;

let app: TestApp;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  app = await openTestApp();
  [ada, ben] = [await newOrganization(app), await newOrganization(app)];
});
afterEach(() => app.owner.query('rollback'));
afterAll(() => app.close());

const orgOf = ({ user }: Person) => {
  if (user.orgId === null) throw new Error('a new person has an organization');
  return user.orgId;
};
const lockMemberships = async (person: Person) => {
  await app.owner.query('begin');
  await app.owner.query('select 1 from memberships where org_id = $1 for update', [orgOf(person)]);
};

/** Prepares this many requests, which wait for the memberships of the person's organization. */
async function patchesOf(person: Person, count: number, title: string) {
  const directory = await Directory.of(app, person);
  const path = `/Users/${person.user.id}`;
  const patch = patchOf({ op: 'replace', path: 'title', value: title });
  return () => Array.from({ length: count }, () => directory.ask('PATCH', path, patch));
}

test('a waiting organization holds 4 of 10 connections, and one of its actors 2', async () => {
  const first = await patchesOf(ada, 15, 'first');
  const second = await patchesOf(ada, 15, 'second');
  const third = await patchesOf(ada, 15, 'third');
  await lockMemberships(ada);
  const flood = first();
  await expect.poll(() => lockWaiters(app), { timeout: 20_000 }).toBe(2);
  flood.push(...second(), ...third());
  await expect.poll(() => lockWaiters(app), { timeout: 20_000 }).toBe(4);
  await ben.call(createRoom, { body: { topic: 'Meanwhile' } });
  expect(await ben.call(listRooms)).toMatchObject([{ topic: 'Meanwhile' }]);
  expect(await lockWaiters(app)).toBe(4);
  await app.owner.query('commit');
  const answers = await Promise.all(flood);
  expect(answers.map(({ status }) => status)).toEqual(Array(45).fill(200));
  expect(await ada.call(listRooms)).toEqual([]);
});

test('an admin removes a member whose requests wait, before these are answered', async () => {
  const agent = await newMember(app, ada, 'AGENT');
  const { call } = await runningCall(agent);
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [call.id]);
  let answered = 0;
  const flood = Array.from({ length: 50 }, async () => {
    const { status } = await agent.send('PUT', `/api/calls/${call.id}`, { notesSnapshot: 'x' });
    answered += 1;
    return status;
  });
  await expect.poll(() => lockWaiters(app), { timeout: 20_000 }).toBe(2);
  expect((await ada.send('DELETE', `/api/users/${agent.user.id}`)).status).toBe(204);
  expect(answered).toBe(0);
  await app.owner.query('commit');
  await Promise.all(flood);
});

test('notes of others are stored while organizations wait for their own turns', async () => {
  const held = Promise.withResolvers<void>();
  const waiting: Promise<unknown>[] = [];
  for (const person of [ada, await newOrganization(app)]) {
    const { call } = await runningCall(person);
    for (let n = 0; n < 2; n += 1) {
      const turn = { actorKey: person.user.id };
      waiting.push(app.services.database.connection(orgOf(person), () => held.promise, turn));
    }
    for (let n = 0; n < 6; n += 1) {
      waiting.push(person.send('PUT', `/api/calls/${call.id}`, { notesSnapshot: `note ${n}` }));
    }
  }
  const { call } = await runningCall(ben);
  const stored = await ben.send('PUT', `/api/calls/${call.id}`, { notesSnapshot: 'Meanwhile' });
  expect(stored.status).toBe(200);
  held.resolve();
  await Promise.all(waiting);
});

test('an account holds 2 of 10 connections for work outside of organizations', async () => {
  const { database } = app.services;
  const held = Promise.withResolvers<void>();
  let running = 0;
  const hold = () =>
    database.transaction(
      'outside',
      async () => {
        running += 1;
        await held.promise;
      },
      { actorKey: ada.user.id },
    );
  const waiting = Array.from({ length: 20 }, hold);
  expect((await ben.send('GET', '/api/rooms')).status).toBe(200);
  expect(running).toBe(2);
  held.resolve();
  await Promise.all(waiting);
});

test('work that waits at a shared gate keeps no connection from others', async () => {
  const { database } = app.services;
  const opened = Promise.withResolvers<void>();
  const through = async <T>(work: () => Promise<T>) => {
    await opened.promise;
    return work();
  };
  const waiting: Promise<unknown>[] = [];
  for (const person of [ada, await newOrganization(app), await newOrganization(app)]) {
    for (let n = 0; n < 4; n += 1) {
      const turn = { actorKey: `actor ${n}`, through };
      waiting.push(database.transaction(orgOf(person), async ({ run }) => run(one, []), turn));
    }
  }
  expect((await ben.send('GET', '/api/rooms')).status).toBe(200);
  opened.resolve();
  await Promise.all(waiting);
});
const one = { name: 'one', text: 'select 1' };

test('a tenant’s actors take turns, and hold nothing of other tenants', async () => {
  const shares = new TenantShares({ perTenant: 2, perActor: 1 });
  const started: string[] = [];
  const ask = (tenant: string, actor: string) => {
    const share = shares.take(tenant, actor);
    if (share === null) started.push(`${tenant}${actor}`);
    else void share.then(() => started.push(`${tenant}${actor}`));
  };
  for (const actor of ['1', '1', '1', '2', '3', '3']) ask('a', actor);
  ask('b', '1');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  for (const actor of ['1', '3', '2']) {
    shares.giveBack('a', actor);
    await Promise.resolve();
  }
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'a1', 'a3']);
});

test('a lost connection or a failed use releases the share', async () => {
  const { database } = app.services;
  const org = orgOf(ada);
  for (let n = 0; n < 12; n += 1) {
    const ended = database.connection(org, ({ query }) =>
      query('select pg_terminate_backend(pg_backend_pid())', []),
    );
    await expect(ended).rejects.toThrow();
    await expect(database.transaction(org, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
  }
  expect((await ada.send('GET', '/api/rooms')).status).toBe(200);
});

const shown = async (database: Database, name: string, isLong = false) =>
  database.transaction('outside', async ({ run, query }) => {
    if (isLong) await run(takesLong, []);
    return (await query(`show ${name}`, [])).rows[0]?.[name];
  });

test('a statement has 30 seconds, a lock 10, an idle transaction 30, and long work 10 minutes', async () => {
  const { database } = app.services;
  expect(await shown(database, 'statement_timeout')).toBe('30s');
  expect(await shown(database, 'lock_timeout')).toBe('10s');
  expect(await shown(database, 'idle_in_transaction_session_timeout')).toBe('30s');
  const one = app.openDatabase(1);
  expect(await shown(one, 'statement_timeout', true)).toBe('10min');
  expect(await shown(one, 'statement_timeout')).toBe('30s');
  await one.close();
});

/** Starts the whole server on a pool with short timeouts. */
async function impatient(
  timeouts: Partial<typeof requestTimeouts>,
  use: (short: TestApp, database: Database) => Promise<void>,
) {
  const database = app.openDatabase(10, { ...requestTimeouts, ...timeouts });
  const http: FastifyInstance = await buildApp({ ...app.services, database }, { pagesDir: null });
  try {
    await use({ ...app, http }, database);
  } finally {
    await http.close();
    await database.close();
  }
}

test.each([
  ['lock_timeout', 409, 'changed_elsewhere'],
  ['statement_timeout', 503, 'database_busy'],
] as const)(
  'past the %s a request is answered %i with an error message, a SCIM request 503',
  async (name, status, code) => {
    await impatient({ [name]: 200 }, async (short) => {
      const person = await newOrganization(short);
      const directory = await Directory.of(short, person, `${code}.example`);
      const id = await directory.group('Everybody');
      await lockMemberships(person);
      const ask = () => person.send('PUT', `/api/scim-groups/${id}/role`, { role: 'AGENT' });
      const refused = await ask();
      expect(refused).toMatchObject({ status, body: { code, message: expect.any(String) } });
      expect(refused.headers['retry-after']).toBe('10');
      const said = await directory.ask('DELETE', `/Groups/${id}`);
      expect(said).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
      await app.owner.query('commit');
      expect((await ask()).status).toBe(200);
    });
  },
);

test('an idle transaction is ended and reported as taking too long', async () => {
  await impatient({ idle_in_transaction_session_timeout: 50 }, async (_short, database) => {
    const left = database.transaction(orgOf(ada), async ({ query }) => {
      const { rows } = await query('select pg_backend_pid() as pid', []);
      const isThere = async () =>
        (await app.owner.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]))
          .rowCount;
      await expect.poll(isThere, { timeout: 20_000 }).toBe(0);
    });
    await expect(left).rejects.toMatchObject({ code: '25P03' });
    expect(
      (await database.connection(orgOf(ada), ({ query }) => query('select 1 as n', []))).rows,
    ).toEqual([{ n: 1 }]);
  });
});
