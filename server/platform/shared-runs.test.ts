import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { type OrgId, orgId } from '#domain/ids.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { lockWaiters, waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { lateMs } from './authority.ts';
import { newId } from './ids.ts';
import { SharedRuns } from './shared-runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Runs that end on command. A run's result is its number within the test. */
function controlledRuns() {
  const runs = new SharedRuns();
  const begun: { key: string; end: (error?: Error) => Promise<void> }[] = [];
  const settle = () => new Promise((later) => setImmediate(later));
  const ask = (org: OrgId, key: string, actorKey = 'ada') => {
    const result = runs.run({ orgId: org, actorKey }, key, (through) =>
      through(async () => {
        const held = Promise.withResolvers<void>();
        const number = begun.push({
          key,
          end: async (error) => {
            if (error) held.reject(error);
            else held.resolve();
            await settle();
          },
        });
        await held.promise;
        return number;
      }),
    );
    // Awaited later, when it may have failed already.
    result.catch(() => undefined);
    return result;
  };
  return { ask, begun, settle, keys: () => begun.map(({ key }) => key) };
}

test('R10-3: requests that wait share one run, which begins after all of them asked', async () => {
  const { ask, begun, settle } = controlledRuns();
  const org = newId(orgId);
  const first = ask(org, 'figures');
  await settle();
  const later = [ask(org, 'figures', 'ben'), ask(org, 'figures'), ask(org, 'figures', 'cat')];
  await settle();
  expect(begun).toHaveLength(1);
  await begun[0]?.end();
  expect(begun).toHaveLength(2);
  const last = ask(org, 'figures');
  await begun[1]?.end();
  await begun[2]?.end();
  expect(await Promise.all([first, ...later, last])).toEqual([1, 2, 2, 2, 3]);
});

test('R10-3: an organization has one run at a time, all together two, and actors take turns', async () => {
  const { ask, begun, settle, keys } = controlledRuns();
  const [a, b, c] = [newId(orgId), newId(orgId), newId(orgId)];
  for (const key of ['a1', 'a2', 'a3']) void ask(a, key);
  void ask(a, 'a-of-ben', 'ben');
  void ask(b, 'b1');
  void ask(c, 'c1');
  await settle();
  expect(keys()).toEqual(['a1', 'b1']);
  await begun[0]?.end();
  expect(keys()).toEqual(['a1', 'b1', 'c1']);
  await begun[1]?.end();
  expect(keys()).toEqual(['a1', 'b1', 'c1', 'a-of-ben']);
});

test('R10-3: a failed run fails those who share it, and no others', async () => {
  const { ask, begun, settle } = controlledRuns();
  const org = newId(orgId);
  const failing = ask(org, 'figures');
  await settle();
  const next = [ask(org, 'figures'), ask(org, 'figures')];
  const other = ask(org, 'search');
  await begun[0]?.end(new Error('first'));
  await expect(failing).rejects.toThrow('first');
  await begun[1]?.end(new Error('second'));
  for (const one of next) await expect(one).rejects.toThrow('second');
  await begun[2]?.end();
  expect(await other).toBe(3);
});

test('R10-3: eight requests share a result, so that few long answers are made at once', async () => {
  const { ask, begun, settle } = controlledRuns();
  const org = newId(orgId);
  const busy = ask(org, 'other');
  const waiting = Array.from({ length: 10 }, () => ask(org, 'figures'));
  await settle();
  for (let n = 0; n < 3; n += 1) await begun[n]?.end();
  await busy;
  expect(await Promise.all(waiting)).toEqual([...Array(8).fill(2), 3, 3]);
});

/** Runs `act` while everything that reads the table waits for a lock. */
async function whileLocked(table: string, act: () => Promise<void>): Promise<void> {
  const holder = new pg.Client(app.ownerLogin);
  await holder.connect();
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    await act();
  } finally {
    await holder.end();
  }
}

const uuids = Array.from({ length: 4 }, () => crypto.randomUUID());

test.each([
  { path: () => '/api/analytics', table: 'analytics_days' },
  { path: () => '/api/billing', table: 'rooms' },
  { path: () => '/api/recordings/storage', table: 'recorded_tracks' },
  { path: (n: number) => `/api/rooms?search=none${n}`, table: 'calls' },
  { path: (n: number) => `/api/playbooks?search=none${n}`, table: 'playbook_items' },
  { path: () => '/api/audit-events/choices', table: 'audit_events' },
  {
    path: (n: number) => `/api/audit-events?action=CALL_CREATED&userId=${uuids[n]}`,
    table: 'audit_events',
  },
  {
    path: (n: number) => `/api/rooms/${uuids[n]}/action-items`,
    table: 'action_items',
    status: 404,
  },
  { path: () => '/api/scim-groups', table: 'scim_group_members' },
  { path: () => '/api/sso', table: 'sso_domains' },
])(
  'R10-3, R12-1, R13-2, R14-5, R20-9: $table is read for one request of an organization at a time',
  async ({ path, table, status: answered = 200 }) => {
    const [ada, eve] = [await newOrganization(app), await newOrganization(app)];
    const ben = await newMember(app, ada, 'ORGADMIN');
    const answers: Promise<{ status: number }>[] = [];
    await whileLocked(table, async () => {
      for (let n = 0; n < 4; n += 1) {
        for (const who of [ada, ben]) answers.push(who.send('GET', path(n)));
      }
      answers.push(eve.send('GET', path(0)));
      await waitingForLocks(app, 2);
      // Asked after the others, so that those have arrived, and needs a connection of the same organization.
      for (const who of [ada, ben]) await who.send('GET', '/api/users');
      expect(await lockWaiters(app)).toBe(2);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
      Array(9).fill(answered),
    );
  },
);

test('R10-3: shared figures include what was stored before they were asked for', async () => {
  const ada = await newOrganization(app);
  const { body } = await ada.send('POST', '/api/rooms', { topic: 'Room' });
  const answers: ReturnType<typeof figures>[] = [];
  const figures = () => ada.call(readAnalytics);
  const connections = vi.spyOn(app.services.database, 'connection');
  await whileLocked('analytics_days', async () => {
    answers.push(figures());
    await waitingForLocks(app);
    for (let n = 1; n <= 3; n += 1) {
      await app.owner.query(
        `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec)
          values (gen_random_uuid(), $1, $2, now(), now(), 60)`,
        [ada.user.orgId, (body as { id: string }).id],
      );
      answers.push(figures());
      await ada.send('GET', '/api/users');
    }
  });
  const [, ...asked] = await Promise.all(answers);
  const reads = connections.mock.calls.filter(([, , turn]) => turn?.actorKey === 'shared-reads');
  connections.mockRestore();
  expect(asked.map(({ totalCalls }) => totalCalls)).toEqual([3, 3, 3]);
  expect(reads).toHaveLength(2);
});

test('R10-3: who is signed out while waiting is refused, and those who share the result are not', async () => {
  const ada = await newOrganization(app);
  const ben = await newMember(app, ada, 'AGENT');
  const answers: Promise<{ status: number }>[] = [];
  await whileLocked('analytics_days', async () => {
    answers.push(ada.send('GET', '/api/analytics'));
    await waitingForLocks(app);
    for (const who of [ben, ada]) {
      answers.push(who.send('GET', '/api/analytics'));
      await who.send('GET', '/api/users');
    }
    await app.owner.query('delete from sessions where account_id = $1', [ben.user.id]);
    await sleep(lateMs);
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401, 200]);
});
