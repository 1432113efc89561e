import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Stores calls of a new organization, each in a room of its own, with the columns that `call` gives them. */
async function storedCalls(count: number, call: string): Promise<string> {
  const { user } = await newOrganization(app);
  await app.owner.query(
    `with made as (
       insert into rooms (id, org_id, topic)
       select gen_random_uuid(), $1, 'Room' from generate_series(1, $2) returning id)
     insert into calls (id, org_id, room_id, started_at, last_seen_at, ended_at, duration_sec, notes_snapshot)
     select gen_random_uuid(), $1, id, now() - interval '1 hour', ${call} from made`,
    [user.orgId, count],
  );
  return user.orgId ?? '';
}

test('R21-79: a look for deserted calls finds 500, organizations in turn', async () => {
  await storedCalls(600, `now() - interval '1 hour', null, null, null`);
  const bens = await storedCalls(1, `now() - interval '5 minutes', null, null, null`);
  const { rows } = await app.owner.query(
    `select org_id from deserted_calls(now() - interval '2 minutes')`,
  );
  expect(rows).toHaveLength(500);
  expect(rows.map(({ org_id }) => org_id)).toContain(bens);
});

test('R21-79: a look for calls without insights reads no notes', async () => {
  // Each has 200 KB of notes in some 50 blocks.
  const notes = `(select string_agg(gen_random_uuid()::text, '') from generate_series(1, 5600) where id = id)`;
  await storedCalls(40, `now(), now() - interval '5 minutes', 60, ${notes}`);
  const look = async () => {
    const { rows } = await app.owner.query(
      `explain (analyze, buffers, format json)
       select * from calls_without_insights(now() - interval '1 day', now())`,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(40);
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  // The first one reads the catalog, too.
  await look();
  expect(await look()).toBeLessThan(1_000);
});
