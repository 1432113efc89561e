import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { countCallsOfRooms } from './count-calls-of-rooms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const numbersOf = async (roomId: string) =>
  (
    await app.owner.query(
      'select call_count, newest_month::text, calls_in_month from rooms where id = $1',
      [roomId],
    )
  ).rows[0];
const forgetNumbers = (roomId: string) =>
  app.owner.query(
    'update rooms set call_count = null, newest_month = null, calls_in_month = 0 where id = $1',
    [roomId],
  );

test('the calls of rooms from before are counted as triggers would have counted them', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec, last_seen_at, created_at)
      select gen_random_uuid(), org_id, room_id, at, at, 0, at, at
      from calls, (values (now() - interval '40 days'), (now() - interval '90 days')) days (at)
      where id = $1`,
    [call.id],
  );
  const before = await numbersOf(room.id);
  expect(before).toMatchObject({ call_count: 3, calls_in_month: 1 });
  await forgetNumbers(room.id);
  await countCallsOfRooms(app.owner);
  expect(await numbersOf(room.id)).toEqual(before);
});

test('a call that another transaction is storing meanwhile is counted once', async () => {
  const ada = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  await forgetNumbers(room.id);
  const other = new pg.Client(app.ownerLogin);
  await other.connect();
  try {
    await app.owner.query('begin');
    await app.owner.query(
      `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec, last_seen_at)
        select gen_random_uuid(), org_id, room_id, now(), now(), 0, now() from calls where id = $1`,
      [call.id],
    );
    const counted = countCallsOfRooms(other);
    await vi.waitFor(async () => expect(await lockWaiters(app)).toBe(1));
    await app.owner.query('commit');
    await counted;
  } finally {
    await other.end();
  }
  expect(await numbersOf(room.id)).toMatchObject({ call_count: 2, calls_in_month: 2 });
});

test('a new room has its number from the beginning', async () => {
  const ada = await newOrganization(app);
  const { room } = await runningCall(ada);
  await countCallsOfRooms(app.owner);
  expect(await numbersOf(room.id)).toMatchObject({ call_count: 1 });
});
