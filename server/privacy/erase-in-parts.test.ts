import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { finishErasures } from './finish-erasures.ts';

const calls = 2_200;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An agent who has led many calls, and said and rated something in each. */
async function busyAgent() {
  const ada = await newOrganization(app);
  const agent = await newMember(app, ada, 'AGENT');
  const { id: roomId } = await ada.call(createRoom, { body: { topic: 'Many calls' } });
  await app.owner.query(
    `with made as (
        insert into calls (id, org_id, room_id, started_by, started_at, ended_at, duration_sec, last_seen_at)
        select gen_random_uuid(), $1, $2, $3, now(), now(), 60, now() from generate_series(1, $4) returning *
      ), attended as (
        insert into attendances (id, org_id, call_id, kind, account_id, name, left_at)
        select gen_random_uuid(), org_id, id, 'staff', $3, 'Busy Agent', now() from made returning *
      ), rated as (
        insert into ratings (id, org_id, call_id, kind, account_id, score, feedback)
        select gen_random_uuid(), org_id, id, 'staff', $3, 9, 'Went well' from made
      )
      insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      select gen_random_uuid(), org_id, call_id, id, 'staff', name, 'Hello', '1' from attended`,
    [ada.user.orgId, roomId, agent.user.id, calls],
  );
  return { ada, agent };
}

/** Returns how much names the person, or was written by them. */
async function left(orgId: string | null, accountId: string) {
  const { rows } = await app.owner.query(
    `select (select count(*) from calls where started_by = $2)::int as calls,
      (select count(*) from attendances where org_id = $1 and (account_id = $2 or name = 'Busy Agent'))::int
        as attendances,
      (select count(*) from ratings where org_id = $1 and (account_id = $2 or feedback is not null))::int as ratings,
      (select count(*) from chat_messages where org_id = $1)::int as messages,
      (select count(*) from counted_calls where agent_id = $2)::int as counted,
      (select count(*) from erasures where account_id = $2)::int as requests`,
    [orgId, accountId],
  );
  return rows[0];
}

test('a person with many calls is erased a part at a time, by the request and then by the job', async () => {
  const { ada, agent } = await busyAgent();
  const { status } = await ada.send('POST', '/api/privacy/erase', { userId: agent.user.id });
  expect(status).toBe(200);
  const soon = await left(ada.user.orgId, agent.user.id);
  expect(soon.requests).toBe(1);
  expect(soon.attendances).toBeLessThan(calls);
  expect(soon.attendances).toBeGreaterThan(0);
  expect(soon.messages).toBe(soon.attendances);

  await finishErasures(app.services);
  expect(await left(ada.user.orgId, agent.user.id)).toEqual({
    calls: 0,
    attendances: 0,
    ratings: 0,
    messages: 0,
    counted: 0,
    requests: 0,
  });
});

test('R23-B5: erasing a guest again writes nothing again, whatever name erased guests have', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
      select gen_random_uuid(), $1, $2, 'guest', 'Fritz' from generate_series(1, 3)`,
    [ada.user.orgId, call.id],
  );
  const versions = async () => {
    const { rows } = await app.owner.query(
      `select id, xmin from attendances where call_id = $1 and kind = 'guest' order by id`,
      [call.id],
    );
    return rows;
  };
  const erase = (guest: string) => ada.send('POST', '/api/privacy/erase', { guest });
  expect(await erase('Fritz')).toMatchObject({ status: 200, body: { erased: 3 } });
  const before = await versions();
  expect((await erase('Deleted person')).status).toBe(404);
  expect(await versions()).toEqual(before);
});
