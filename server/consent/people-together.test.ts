import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordedCall } from '#server/testing/recorded-call.ts';
import { discardOfGuest } from './discard-captured.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a guest is erased from a recording of everyone that runs, though nobody has noted them in it yet', async () => {
  const { call, join, org, room } = await recordedCall(app);
  await join('Bo');
  await app.owner.query(
    `with track as (
        insert into recorded_tracks (id, org_id, call_id, participant_id, participant_kind, name, source)
        values (gen_random_uuid(), $1, $2, $2, 'staff', '', 'everyone') returning id
      ), segment as (
        insert into recorded_segments (id, org_id, track_id, started_at, mime_type, has_video)
        select gen_random_uuid(), $1, id, now(), 'video/mp4', true from track returning id
      )
      insert into hosted_recordings (segment_id, org_id, room_id) select id, $1, $3 from segment`,
    [org, call.id, room.id],
  );
  const system = { kind: 'system', name: 'test', orgId: org as OrgId } as const;
  const calls = await tenantOf(app.services.database, system, null).transaction((tx) =>
    discardOfGuest(tx, 'bo'),
  );
  expect(calls).toBe(1);
  const { rows } = await app.owner.query('select from recorded_segments where org_id = $1', [org]);
  expect(rows).toEqual([]);
});
