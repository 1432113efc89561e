import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('call details list each attendance, and the scores of staff and of customers apart', async () => {
  const ada = await newOrganization(app);
  const { call, playbook } = await runningCall(ada);
  const params = { id: call.id };
  await ada.call(updateCall, { params, body: { npsScore: 9, npsFeedback: 'Went well' } });
  const [first, second, guest] = [randomUUID(), randomUUID(), randomUUID()];
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, account_id, name, joined_at, left_at) values
      ($1, $2, $3, 'staff', $4, 'Ada', '2026-01-02T10:00:00Z', '2026-01-02T10:05:00Z'),
      ($5, $2, $3, 'staff', $4, 'Ada', '2026-01-02T10:06:00Z', null),
      ($6, $2, $3, 'guest', null, 'Grace', '2026-01-02T10:01:00Z', '2026-01-02T10:20:00Z')`,
    [first, ada.user.orgId, call.id, ada.user.id, second, guest],
  );
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, attendance_id, score, feedback)
      values ($1, $2, $3, 'guest', $4, 4, 'Too long')`,
    [randomUUID(), ada.user.orgId, call.id, guest],
  );
  const details = await ada.call(readCall, { params });
  expect(details).toMatchObject({
    npsScore: 9,
    room: { topic: 'Kick-off', status: 'active' },
    playbook: { id: playbook.id, title: 'Onboarding' },
  });
  expect(
    details.attendances.map(({ name, kind, joinedAt, leftAt }) => [name, kind, joinedAt, leftAt]),
  ).toEqual([
    ['Ada', 'staff', '2026-01-02T10:00:00.000Z', '2026-01-02T10:05:00.000Z'],
    ['Grace', 'guest', '2026-01-02T10:01:00.000Z', '2026-01-02T10:20:00.000Z'],
    ['Ada', 'staff', '2026-01-02T10:06:00.000Z', null],
  ]);
  expect(
    details.ratings.map(({ kind, name, score, feedback }) => [kind, name, score, feedback]).sort(),
  ).toEqual([
    ['guest', 'Grace', 4, 'Too long'],
    ['staff', `${ada.user.firstName} ${ada.user.lastName}`, 9, 'Went well'],
  ]);
});

test('call details say when each ticked item was ticked', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const params = { id: call.id };
  const [first, second] = call.checklistItems.map(({ id }) => id);
  const checklistStateJson = { [first ?? '']: true, [second ?? '']: false };
  await ada.call(updateCall, { params, body: { checklistStateJson } });
  const { tickedAt } = await ada.call(readCall, { params });
  expect(tickedAt).toEqual({ [first ?? '']: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
});

test('a viewer reads a call; another organization’s and an unknown one are not found', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const viewer = await newMember(app, ada, 'VIEWER');
  expect(await viewer.send('GET', `/api/calls/${call.id}`)).toMatchObject({ status: 200 });
  const eve = await newOrganization(app);
  const foreign = await eve.send('GET', `/api/calls/${call.id}`);
  const unknown = await eve.send('GET', `/api/calls/${randomUUID()}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(unknown.body);
});
