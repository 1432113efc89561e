import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { erasePerson, updateRetention } from '#domain/privacy/contract.ts';
import { deleteRecording, removeFromRecording } from '#domain/recordings/contract.ts';
import { rotate } from '#server/operator/rotate.ts';
import { forgetOldEverywhere } from '#server/privacy/forget-old.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordedCall } from '#server/testing/recorded-call.ts';
import { organizationToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

// R20-2: an answer that is kept for an Idempotency-Key does not outlive what it says about a person.

const guest = 'Grace Hopper';
let app: TestApp;
let here: Awaited<ReturnType<typeof recordedCall>>;
let graces: Awaited<ReturnType<typeof here.join>>;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  here = await recordedCall(app);
  graces = await here.join(guest);
});

/** A request that answers a call with its participants, as often as it is sent. */
async function keyedRequest(by: Visitor, roomId: string) {
  const { token } = await organizationToken(by, ['calls:read', 'calls:write']);
  const send = program(app, token);
  return () => send('POST', '/api/calls', { roomId }, { 'idempotency-key': 'kept' });
}

const forgotten = { status: 409, body: { code: 'idempotency_answer_forgotten' } };
const params = () => ({ id: here.call.id });

const ends: [string, () => Promise<unknown>][] = [
  ['a guest is erased', () => here.ada.call(erasePerson, { body: { guest } })],
  [
    'a member is erased',
    async () => {
      const { user } = await newMember(app, here.ada, 'AGENT');
      await here.ada.call(erasePerson, { body: { userId: user.id } });
    },
  ],
  [
    'a person is removed from a recording, as by their own withdrawal',
    () => here.ada.call(removeFromRecording, { params: { ...params(), participantId: graces.id } }),
  ],
  ['a recording is deleted', () => here.ada.call(deleteRecording, { params: params() })],
  [
    'names of guests are forgotten after a time',
    async () => {
      await app.owner.query(
        "update calls set ended_at = now() - interval '9 days', duration_sec = 6 where id = $1",
        [here.call.id],
      );
      await here.ada.call(updateRetention, { body: { guestNames: 1 } });
      await forgetOldEverywhere(app.services, new Date());
    },
  ],
];

test.each(ends)('R20-2: kept answers are forgotten when %s', async (_when, end) => {
  const request = await keyedRequest(here.ada, here.room.id);
  const other = await newOrganization(app);
  const theirs = await keyedRequest(other, (await runningCall(other)).room.id);
  const first = await request();
  expect(JSON.stringify(first.body)).toContain(guest);
  expect((await request()).body).toEqual(first.body);
  const before = await theirs();

  await end();
  expect(await request()).toMatchObject(forgotten);
  expect(await theirs()).toMatchObject({ status: before.status, body: before.body });
  // The request did not run again, and nothing is left of its answer.
  const { rows } = await app.owner.query(
    `select (select count(*) from calls where org_id = $1)::int as calls,
      array(select answer_sealed from api_answers where org_id = $1) as answers`,
    [here.org],
  );
  expect(rows).toEqual([{ calls: 1, answers: [null] }]);
  await expect(rotate(app.services.database, app.services.secrets)).resolves.toMatch(/^0 of/);
});

test('R20-2: an answer that is being made while a person is erased is not kept', async () => {
  const request = await keyedRequest(here.ada, here.room.id);
  const hold = app.owner;
  await hold.query('begin');
  await hold.query('lock table rooms in access exclusive mode');
  const first = request();
  await waitingForLocks(app);
  await hold.query(
    `update api_answers set forgotten_at = now(), answer_sealed = null
      where org_id = $1 and answer_sealed is null`,
    [here.org],
  );
  await hold.query('commit');
  expect((await first).status).toBeLessThan(300);
  expect(await request()).toMatchObject(forgotten);
});
