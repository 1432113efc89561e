import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { foldAnalyticsEverywhere } from './jobs.ts';
import { rebuildAnalytics } from './rebuild-analytics.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('samples move no figure, before and after the sums are folded and computed again', async () => {
  const ada = await newOrganization(app);
  const room = await ada.call(createRoom, { body: { topic: 'Real' } });
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_by, started_at, ended_at, duration_sec)
      values (gen_random_uuid(), $1, $2, $3, now() - interval '1 hour',
        now() - interval '50 minutes', 600)`,
    [ada.user.orgId, room.id, ada.user.id],
  );
  const before = await ada.call(readAnalytics);
  expect(before).toMatchObject({ totalCalls: 1, avgDuration: 10 });
  await ada.call(loadSamples, { body: {} });
  const sampleRoom = (await ada.call(listRooms)).find(({ sample }) => sample);
  const figures = async () => [
    await ada.call(readAnalytics),
    await ada.call(readAnalytics, { query: `?agentId=${ada.user.id}` }),
  ];
  expect(await figures()).toEqual([before, before]);
  await foldAnalyticsEverywhere(app.services);
  expect(await figures()).toEqual([before, before]);
  const ownerDatabase = app.openOwnerDatabase();
  expect(await rebuildAnalytics(ownerDatabase, () => {})).toMatch(/All figures were correct/);
  // What changes a sample call later counts no more than the call.
  await app.owner.query(
    'update calls set started_at = started_at - $2::interval where room_id = $1',
    [sampleRoom?.id, '1 minute'],
  );
  await app.owner.query('update organizations set calls_counted_at = null where id = $1', [
    ada.user.orgId,
  ]);
  expect(await figures(), 'while the calls are read themselves').toEqual([before, before]);
});
