import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { HostedRecorder } from '#server/providers/video/hosted-recorder.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { dailyEvent, seconds, sendDailyEvent } from '#server/testing/daily-webhook.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { followHostedRooms } from './follow-hosted-rooms.ts';

let daily: DailyStandIn;
let app: TestApp;
let recorder: HostedRecorder;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({
    PUBLIC_URL: 'https://calls.example.com',
    ...daily.recordingSettings,
  });
  const found = app.services.video.page?.recorder;
  if (!found) throw new Error('Daily records nothing');
  recorder = found;
  ada = await newOrganization(app);
});
beforeEach(() => app.owner.query('delete from hosted_recordings'));
afterAll(async () => {
  await app.close();
  await daily.close();
});

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 10_000 });

test('R21-75: rooms at which Daily is slow delay no rooms of another organization', async () => {
  const bob = await newOrganization(app);
  for (const owner of [ada, ada, ada, ada, ada, bob]) {
    const { room } = await runningCall(owner);
    await app.owner.query(
      `insert into hosted_recordings (segment_id, org_id, room_id, stopped_at, stop_confirmed_at)
       values ($1, $2, $3, now(), now())`,
      [randomUUID(), owner.user.orgId, room.id],
    );
  }
  const held = Promise.withResolvers<void>();
  const asked: string[] = [];
  const ofRoom = vi.spyOn(recorder, 'ofRoom').mockImplementation(async ({ orgId }) => {
    asked.push(orgId);
    if (orgId === ada.user.orgId) await held.promise;
    return [];
  });
  const pass = followHostedRooms(app.services);
  try {
    await eventually(() => expect(asked).toContain(bob.user.orgId));
  } finally {
    held.resolve();
    await pass;
    ofRoom.mockRestore();
  }
});

test('R21-57: the rooms of one organization keep no other one from being looked at', async () => {
  const [bob, eve] = [await newOrganization(app), await newOrganization(app)];
  const { room: bobs } = await runningCall(bob);
  // Of rooms in the order of their ids, Eve's would be the first.
  await app.owner.query(
    `with made as (
        insert into rooms (id, org_id, topic)
        select lpad(n::text, 32, '0')::uuid, $1, 'Recorded' from generate_series(1, 1100) n
        returning org_id, id
      )
      insert into hosted_recordings (segment_id, org_id, room_id, stopped_at, stop_confirmed_at)
      select gen_random_uuid(), org_id, id, now(), now() from made
      union all select gen_random_uuid(), $2, $3, now(), now()`,
    [eve.user.orgId, bob.user.orgId, bobs.id],
  );
  const asked: string[] = [];
  const ofRoom = vi.spyOn(recorder, 'ofRoom').mockImplementation(async ({ orgId }) => {
    asked.push(orgId);
    return [];
  });
  try {
    await followHostedRooms(app.services);
  } finally {
    ofRoom.mockRestore();
  }
  expect(asked).toContain(bob.user.orgId);
  expect(asked.filter((orgId) => orgId === eve.user.orgId)).toHaveLength(200);
});

test.each(['ofRoom' as const, 'stop' as const])(
  'a file that is ready while Daily answers %s is looked at again at once',
  async (method) => {
    const { room } = await runningCall(ada);
    const { orgId } = ada.user;
    await app.owner.query(
      'insert into hosted_recordings (segment_id, org_id, room_id, stopped_at) values ($1, $2, $3, now())',
      [randomUUID(), orgId, room.id],
    );
    const held = Promise.withResolvers<never[]>();
    const others = vi.spyOn(recorder, method === 'stop' ? 'ofRoom' : 'stop').mockResolvedValue([]);
    const answer = vi.spyOn(recorder, method).mockImplementationOnce(() => held.promise);
    answer.mockResolvedValue([]);
    try {
      const pass = followHostedRooms(app.services);
      await eventually(() => expect(answer).toHaveBeenCalled());
      const ready = { room_name: `${orgId}_${room.id}`, recording_id: randomUUID() };
      const event = dailyEvent('recording.ready-to-download', { ...ready, start_ts: seconds() });
      expect((await sendDailyEvent(app, daily.webhookSecret, event)).status).toBe(200);
      held.resolve([]);
      await pass;
      // By the pass that the event has caused, and by none if the first one had put it off.
      await eventually(() => expect(ofRoom()).toBe(2));
    } finally {
      held.resolve([]);
      for (const one of [others, answer]) one.mockRestore();
    }

    function ofRoom(): number {
      return (method === 'ofRoom' ? answer : others).mock.calls.length;
    }
  },
);
