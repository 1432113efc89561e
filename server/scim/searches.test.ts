import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory, patchOf, userUrn } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
let directory: Directory;
beforeAll(async () => {
  app = await openTestApp();
  directory = await Directory.of(app, await newOrganization(app));
});
afterAll(() => app.close());

const list = (filter: string, path = '/Users', of = directory) =>
  of.ask('GET', `${path}?filter=${encodeURIComponent(filter)}`);
const joined = (count: number, clause: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => clause(n)).join(' or ');

test.each([
  ['/Users', (n: number) => `emails co "q${n}"`],
  ['/Users', (n: number) => `title eq "t${n}"`],
  ['/Users', (n: number) => `userName sw "u${n}"`],
  ['/Groups', (n: number) => `displayName co "g${n}"`],
])(
  'a filter of %s compares ten times, and is refused with what to do beyond that',
  async (path, clause) => {
    expect((await list(joined(10, clause), path)).status).toBe(200);
    expect(await list(joined(11, clause), path)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter', detail: expect.stringMatching(/Ask in several requests/) },
    });
  },
);

test('each comparison within brackets counts', async () => {
  const inner = joined(11, (n) => `value eq "v${n}"`);
  expect((await list(`emails[${inner}]`)).status).toBe(400);
  expect((await list(`not (emails[${inner}])`)).status).toBe(400);
});

test('a filter can look up fifty users by userName', async () => {
  expect((await list(joined(50, (n) => `userName eq "u${n}@directory.example"`))).status).toBe(200);
});

/** Runs `act` while everything that reads users waits for a lock. */
async function whilePeopleAreLocked(act: () => Promise<void>): Promise<void> {
  await app.owner.query('begin');
  await app.owner.query('lock table scim_users in access exclusive mode');
  try {
    await act();
  } finally {
    await app.owner.query('rollback');
  }
}

test('a search of more than five seconds is refused with what to do, and canceled in the database', async () => {
  await whilePeopleAreLocked(async () => {
    expect(await list('title co "x"')).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany', detail: expect.stringMatching(/Narrow the filter/) },
    });
  });
  expect((await list('title co "x"')).status).toBe(200);
}, 20_000);

test('an organization runs one search at a time', async () => {
  const other = await Directory.of(app, await newOrganization(app), 'other.example');
  const searches: Promise<{ status: number }>[] = [];
  await whilePeopleAreLocked(async () => {
    for (let n = 0; n < 3; n += 1) searches.push(list('title co "x"'));
    searches.push(list('title co "x"', '/Users', other));
    // Each search runs two statements on one connection: one organization's, and the other's.
    await waitingForLocks(app, 2);
    const { rows } = await app.services.database.connection('outside', ({ query }) =>
      query(
        `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      ),
    );
    expect(rows).toHaveLength(2);
  });
  expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(4).fill(200));
});

const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `mail-${n}@directory.example` }));

test.each([
  ['eleven addresses', { emails: addresses(11) }, /10 values at most/],
  [
    'an address of 255 characters',
    { emails: [...addresses(1), { value: `${'x'.repeat(237)}@directory.example` }] },
    /254 characters at most/,
  ],
])('creating or changing a user with %s is refused', async (_, more, why) => {
  const refused = { status: 400, body: { detail: expect.stringMatching(why) } };
  const body = { schemas: [userUrn], userName: 'more@directory.example', ...more };
  expect(await directory.ask('POST', '/Users', body)).toMatchObject(refused);
  const { id } = await directory.user(`p-${crypto.randomUUID()}@directory.example`);
  expect(await directory.ask('PUT', `/Users/${id}`, body)).toMatchObject(refused);
});

test('repeated changes cannot grow a user beyond 64 KB', async () => {
  const { id } = await directory.user('large@directory.example');
  const add = (kind: string) =>
    directory.ask(
      'PATCH',
      `/Users/${id}`,
      patchOf({
        op: 'add',
        path: 'phoneNumbers',
        value: Array.from({ length: 20 }, (_, n) => ({
          value: `${kind}-${n}-${'x'.repeat(1_900)}`,
        })),
      }),
    );
  expect((await add('one')).status).toBe(200);
  expect(await add('other')).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/64 KB in all/) },
  });
});

test('a user stored earlier with more addresses can still be deactivated', async () => {
  const { id } = await directory.user('before@directory.example');
  await app.owner.query(
    `update scim_users set attributes = attributes || $2 where account_id = $1`,
    [id, { emails: [{ value: 'before@directory.example', primary: true }, ...addresses(50)] }],
  );
  const said = await directory.ask(
    'PATCH',
    `/Users/${id}`,
    patchOf({ op: 'replace', path: 'active', value: false }),
  );
  expect(said).toMatchObject({ status: 200, body: { active: false } });
});
