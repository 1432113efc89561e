import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let roomId: string;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

interface Past {
  daysAgo: number;
  durationSec: number;
  items?: [checked: number, all: number];
  score?: number;
  /** Who was in the call; without it, attendance is not known. */
  joined?: 'staff' | 'guest';
}

/** Creates past calls in one of Ada's rooms. */
async function past(...calls: Past[]): Promise<void> {
  const { user } = ada;
  const room = await ada.send('POST', '/api/rooms', { topic: 'Past' });
  roomId = (room.body as { id: string }).id;
  for (const { daysAgo, durationSec, items, score, joined } of calls) {
    const { rows } = await app.owner.query<{ id: string }>(
      `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec)
        values (gen_random_uuid(), $1, $2, now() - $3 * interval '1 day', null, null) returning id`,
      [user.orgId, roomId, daysAgo],
    );
    const call = rows[0]?.id;
    if (joined) {
      await app.owner.query(
        `insert into attendances (id, org_id, call_id, kind, name)
          values (gen_random_uuid(), $1, $2, $3, 'Someone')`,
        [user.orgId, call, joined],
      );
    }
    await app.owner.query(`update calls set ended_at = now(), duration_sec = $2 where id = $1`, [
      call,
      durationSec,
    ]);
    await app.owner.query(
      `insert into call_checklist_items (org_id, call_id, item_id, text, position, checked_at)
        select $1, $2, gen_random_uuid(), 'x', n, case when n <= $3 then now() end
        from generate_series(1, $4) n`,
      [user.orgId, call, items?.[0] ?? 0, items?.[1] ?? 0],
    );
    if (score !== undefined) {
      await app.owner.query(
        `insert into ratings (id, org_id, call_id, kind, account_id, score)
          values (gen_random_uuid(), $1, $2, 'staff', $3, $4)`,
        [user.orgId, call, user.id, score],
      );
    }
  }
}

test('an empty organization has zeros, no score and nothing to compare', async () => {
  expect(await ada.call(readAnalytics)).toMatchObject({
    totalCalls: 0,
    avgDuration: 0,
    checklistCompletion: 0,
    avgNpsScore: null,
    changes: { totalCalls: null, avgDuration: null, checklistCompletion: null, avgNpsScore: null },
  });
});

test('figures are over all calls, and changes compare the last 30 days with the 30 before', async () => {
  await past(
    { daysAgo: 1, durationSec: 300, items: [3, 4], score: 9 },
    { daysAgo: 29, durationSec: 300, items: [3, 4], score: 8 },
    { daysAgo: 29, durationSec: 600 },
    { daysAgo: 31, durationSec: 360, items: [1, 2], score: 8 },
    { daysAgo: 59, durationSec: 120, score: 9 },
    { daysAgo: 61, durationSec: 6000, items: [0, 10], score: 0 },
  );
  expect(await ada.call(readAnalytics)).toMatchObject({
    totalCalls: 6,
    avgDuration: 21.3,
    checklistCompletion: 35,
    avgNpsScore: 6.8,
    changes: {
      totalCalls: '+50%',
      avgDuration: '+68%',
      checklistCompletion: '+50%',
      avgNpsScore: '+0',
    },
  });
});

test('the first day of each compared period belongs to it', async () => {
  await past(
    { daysAgo: 30, durationSec: 60 },
    { daysAgo: 30, durationSec: 60 },
    { daysAgo: 30, durationSec: 60 },
    { daysAgo: 60, durationSec: 60 },
    { daysAgo: 60, durationSec: 60 },
  );
  const { changes } = await ada.call(readAnalytics);
  expect(changes.totalCalls).toBe('+50%');
});

test('a running call does not count', async () => {
  await past({ daysAgo: 1, durationSec: 600 });
  await runningCall(ada);
  expect(await ada.call(readAnalytics)).toMatchObject({ totalCalls: 1, avgDuration: 10 });
});

test('a call without a guest counts, and moves no average', async () => {
  await past({ daysAgo: 1, durationSec: 600, items: [1, 1], score: 9 });
  const internal = { daysAgo: 2, durationSec: 6000, items: [0, 5] as [number, number], score: 0 };
  await past({ ...internal, joined: 'staff' });
  const figures = { avgDuration: 10, checklistCompletion: 100, avgNpsScore: 9 };
  const withoutIt = await ada.call(readAnalytics);
  expect(withoutIt).toMatchObject({ ...figures, totalCalls: 2, nps: { score: 100 } });
  await past({ ...internal, joined: 'guest' });
  expect(await ada.call(readAnalytics)).toMatchObject({ totalCalls: 3, avgDuration: 55 });
});

test('the newest of a call’s scores counts, and a customer’s never does', async () => {
  const { call } = await runningCall(ada);
  const ben = await newMember(app, ada, 'AGENT');
  const params = { id: call.id };
  await ada.call(updateCall, { params, body: { npsScore: 2 } });
  await ben.call(updateCall, { params, body: { npsScore: 7, endForEveryone: true } });
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, score, updated_at)
      values (gen_random_uuid(), $1, $2, 'guest', 10, now() + interval '1 hour')`,
    [ada.user.orgId, call.id],
  );
  expect((await ada.call(readAnalytics)).avgNpsScore).toBe(7);
});

test('a score that is changed after the call replaces the one before', async () => {
  const { call } = await runningCall(ada);
  const params = { id: call.id };
  await ada.call(updateCall, { params, body: { npsScore: 2, endForEveryone: true } });
  await ada.call(updateCall, { params, body: { npsScore: 9 } });
  expect(await ada.call(readAnalytics)).toMatchObject({
    avgNpsScore: 9,
    nps: { promoters: 1, detractors: 0, score: 100 },
  });
});

test('another organization’s calls do not count', async () => {
  await past({ daysAgo: 1, durationSec: 60, items: [1, 1], score: 10 });
  const eve = await newOrganization(app);
  expect(await eve.call(readAnalytics)).toMatchObject({ totalCalls: 0, avgNpsScore: null });
});

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

test('a period has its own figures and days, and is compared with as many days before it', async () => {
  await past(
    { daysAgo: 1, durationSec: 999 },
    { daysAgo: 2, durationSec: 300, score: 9 },
    { daysAgo: 4, durationSec: 300, score: 7 },
    { daysAgo: 5, durationSec: 200, score: 8 },
    { daysAgo: 8, durationSec: 7000, score: 0 },
  );
  const figures = await ada.call(readAnalytics, { query: `?from=${day(4)}&to=${day(2)}` });
  expect(figures).toMatchObject({ totalCalls: 2, avgDuration: 5, avgNpsScore: 8 });
  expect(figures.changes).toMatchObject({
    totalCalls: '+100%',
    avgDuration: '+52%',
    avgNpsScore: '+0',
  });
  expect(figures.trends.map(({ date, calls }) => [date, calls])).toEqual([
    [day(4), 1],
    [day(3), 0],
    [day(2), 1],
  ]);
});

test('a period of many years shows the last 366 days one by one, and is not compared', async () => {
  await past({ daysAgo: 400, durationSec: 60 }, { daysAgo: 1, durationSec: 60 });
  const figures = await ada.call(readAnalytics, { query: '?from=2000-01-01' });
  expect(figures.totalCalls).toBe(2);
  expect(figures.trends).toHaveLength(366);
  expect(figures.trends.at(-1)?.date).toBe(day(0));
  expect(figures.changes.totalCalls).toBe(null);
  const untilThen = await ada.call(readAnalytics, { query: `?to=${day(300)}` });
  expect(untilThen.totalCalls).toBe(1);
});

test('a period that ends before it begins is empty', async () => {
  await past({ daysAgo: 1, durationSec: 60 });
  const figures = await ada.call(readAnalytics, { query: `?from=${day(0)}&to=${day(3)}` });
  expect(figures).toMatchObject({ totalCalls: 0, avgNpsScore: null, trends: [] });
});
