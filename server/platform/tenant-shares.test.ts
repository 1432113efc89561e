import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { type Database, requestTimeouts, takesLong } from './database.ts';

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
const lockWaiters = async (): Promise<number> => {
  // Within a transaction the owner otherwise sees the same picture again.
  await app.owner.query('select pg_stat_clear_snapshot()');
  const { rows } = await app.owner.query(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
};

test('an organization whose work waits holds 4 of 10 connections, and others are answered meanwhile', async () => {
  const directory = await Directory.of(app, ada);
  const id = await directory.group('Everybody');
  await lockMemberships(ada);
  const patch = patchOf({ op: 'add', path: 'members', value: [{ value: ada.user.id }] });
  const flood = Array.from({ length: 30 }, () => directory.ask('PATCH', `/Groups/${id}`, patch));
  await expect.poll(lockWaiters, { timeout: 20_000 }).toBe(4);
  await ben.call(createRoom, { body: { topic: 'Meanwhile' } });
  expect(await ben.call(listRooms)).toMatchObject([{ topic: 'Meanwhile' }]);
  expect(await lockWaiters()).toBe(4);
  await app.owner.query('commit');
  const answers = await Promise.all(flood);
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(204));
  expect(await ada.call(listRooms)).toEqual([]);
});

test('a connection’s end, or a use that fails, gives the share back', async () => {
  const { database } = app.services;
  const org = orgOf(ada);
  for (let n = 0; n < 12; n += 1) {
    const ended = database.read(org, ({ query }) =>
      query('select pg_terminate_backend(pg_backend_pid())', []),
    );
    await expect(ended).rejects.toThrow();
    await expect(database.write(org, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(await ada.call(listRooms)).toEqual([]);
});

const shown = async (database: Database, name: string, isLong = false) =>
  database.write('outside', async ({ run, query }) => {
    if (isLong) await run(takesLong, []);
    return (await query(`show ${name}`, [])).rows[0]?.[name];
  });

test('a statement has 30 seconds, a lock 10, an idle transaction 30; long work has 10 minutes', async () => {
  const { database } = app.services;
  expect(await shown(database, 'statement_timeout')).toBe('30s');
  expect(await shown(database, 'lock_timeout')).toBe('10s');
  expect(await shown(database, 'idle_in_transaction_session_timeout')).toBe('30s');
  const one = app.openDatabase(1);
  expect(await shown(one, 'statement_timeout', true)).toBe('10min');
  expect(await shown(one, 'statement_timeout')).toBe('30s');
  await one.close();
});

/** The whole server, on a pool whose timeouts are short. */
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
  'past the %s a request is answered %i with a sentence, a directory 503',
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

test('a transaction that is left idle ends, and is told of as taking too long', async () => {
  await impatient({ idle_in_transaction_session_timeout: 50 }, async (_short, database) => {
    const left = database.write(orgOf(ada), async ({ query }) => {
      const { rows } = await query('select pg_backend_pid() as pid', []);
      const isThere = async () =>
        (await app.owner.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]))
          .rowCount;
      await expect.poll(isThere, { timeout: 20_000 }).toBe(0);
    });
    await expect(left).rejects.toMatchObject({ code: '25P03' });
    expect(
      (await database.read(orgOf(ada), ({ query }) => query('select 1 as n', []))).rows,
    ).toEqual([{ n: 1 }]);
  });
});
