import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { erasePerson, updateRetention } from '#domain/privacy/contract.ts';
import { deleteRecording, removeFromRecording } from '#domain/recordings/contract.ts';
import { emptyForgottenAnswers } from '#server/api/forget-answers.ts';
import { rotate } from '#server/operator/rotate.ts';
import { tenantOf } from '#server/platform/access.ts';
import { forgetOldEverywhere } from '#server/privacy/forget-old.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { recordedCall } from '#server/testing/recorded-call.ts';
import { organizationToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { forgetKeptAnswers } from './forget-kept-answers.ts';

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

/** What is stored of the organization's answers. */
async function storedAnswers(): Promise<(string | null)[]> {
  const { rows } = await app.owner.query(
    'select answer_sealed as answer from api_answers where org_id = $1',
    [here.org],
  );
  return rows.map(({ answer }) => answer);
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
  await emptyForgottenAnswers(app.services.database);
  expect(await storedAnswers()).toEqual([null]);
  const { rows } = await app.owner.query('select from calls where org_id = $1', [here.org]);
  expect(rows).toHaveLength(1);
  await expect(rotate(app.services.database, app.services.secrets)).resolves.toMatch(/^0 of/);
});

/** Sends the request, which waits until the returned function is called. */
async function sendHeld(request: () => Promise<unknown>) {
  await app.owner.query('begin');
  await app.owner.query('lock table rooms in access exclusive mode');
  const sent = request();
  await waitingForLocks(app);
  return async () => {
    await app.owner.query('commit');
    return sent;
  };
}

const erase = () =>
  tenantOf(app.services.database, { kind: 'system', name: 'erasure', orgId: here.org }, null);

test('R20-2: an answer that is being made while a person is erased is not kept', async () => {
  const request = await keyedRequest(here.ada, here.room.id);
  const goOn = await sendHeld(request);
  await erase().transaction(forgetKeptAnswers);
  // What was done stays done, and its answer is given to the one who waits for it.
  expect(await goOn()).toMatchObject({ status: 200 });
  expect(await request()).toMatchObject(forgotten);
});

test('R22-4: an answer that is made before an erasure takes effect is not kept', async () => {
  const request = await keyedRequest(here.ada, here.room.id);
  await erase().transaction(async (tx) => {
    await forgetKeptAnswers(tx);
    // It reads the names that the erasure has not deleted yet, and is answered before it has.
    expect(JSON.stringify(await request())).toContain(guest);
  });
  expect(await request()).toMatchObject(forgotten);
  await emptyForgottenAnswers(app.services.database);
  expect(await storedAnswers()).toEqual([null]);
});

test('R22-4: forgetting changes none of the answers themselves, of which there may be a million', async () => {
  const request = await keyedRequest(here.ada, here.room.id);
  await request();
  await app.owner.query('begin');
  await app.owner.query('select from api_answers where org_id = $1 for update', [here.org]);
  await here.ada.call(erasePerson, { body: { guest } });
  await app.owner.query('commit');
  expect(await request()).toMatchObject(forgotten);
});

test('many erasures are added up, and answers after them are kept', async () => {
  for (let count = 0; count < 25; count += 1) await erase().transaction(forgetKeptAnswers);
  const request = await keyedRequest(here.ada, here.room.id);
  const { status, body } = await request();
  await emptyForgottenAnswers(app.services.database);
  expect(await request()).toMatchObject({ status, body });
  const { rows } = await app.owner.query(
    'select erasures::int from api_answer_erasures where org_id = $1',
    [here.org],
  );
  expect(rows).toEqual([{ erasures: 25 }]);
  await erase().transaction(forgetKeptAnswers);
  expect(await request()).toMatchObject(forgotten);
});

test('R22-4: two erasures of an organization do not wait for each other', async () => {
  const request = await keyedRequest(here.ada, here.room.id);
  await request();
  await erase().transaction(async (tx) => {
    await forgetKeptAnswers(tx);
    await erase().transaction(forgetKeptAnswers);
  });
  expect(await request()).toMatchObject(forgotten);
});
