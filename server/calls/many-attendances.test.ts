import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCalls, mostAttendances, readCall } from '#domain/calls/contract.ts';
import { type ParticipantId, participantId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { beginAttendance, endAttendance, touchAttendances } from './attendance-store.ts';
import { keepChatMessage } from './chat.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function accountInCall() {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const { id: accountId, orgId } = ada.user;
  if (!orgId) throw new Error('she has an organization');
  const actor = { kind: 'user' as const, accountId, orgId, role: 'ORGADMIN' as const };
  const tenant = tenantOf(app.services.database, actor, null, 'socket');
  const begin = async (id: ParticipantId = newId(participantId)) => {
    await beginAttendance(tenant, call.id, { id, kind: 'staff', name: 'Ada' });
    return id;
  };
  const visit = async () => {
    const id = await begin();
    await endAttendance(tenant, id);
    return id;
  };
  const stays = async () => (await ada.call(readCall, { params: { id: call.id } })).attendances;
  return { ada, call, tenant, begin, visit, stays };
}

test('R13-3: an account that opens a call again and again has 20 attendances in it', async () => {
  const { tenant, begin, visit, stays } = await accountInCall();
  for (let n = 0; n < 20; n += 1) await visit();
  const before = await stays();
  expect(before).toHaveLength(20);
  await visit();
  const last = await begin();
  const after = await stays();
  expect(after).toHaveLength(20);
  expect(after.slice(0, 19)).toEqual(before.slice(0, 19));
  const present = { ...before[19], id: last, leftAt: null };
  expect(after[19]).toEqual(present);
  await endAttendance(tenant, last);
  await touchAttendances(app.services.database, [last]);
  expect((await stays())[19]).toEqual(present);
  // A page that comes back continues its own.
  await begin(before[3]?.id);
  expect((await stays()).filter(({ leftAt }) => !leftAt).map(({ id }) => id)).toEqual([
    before[3]?.id,
    last,
  ]);
});

test('R13-3: pages opened at the same moment do not pass the bound', async () => {
  const { visit, stays } = await accountInCall();
  for (let n = 0; n < 19; n += 1) await visit();
  await Promise.all(Array.from({ length: 12 }, visit));
  expect(await stays()).toHaveLength(20);
});

test('R13-3: messages stay with the attendance that is continued', async () => {
  const { tenant, call, begin, visit } = await accountInCall();
  for (let n = 0; n < 19; n += 1) await visit();
  const writer = await begin();
  const written = { kind: 'staff' as const, name: 'Ada', text: 'Hello', clientId: '1' };
  await keepChatMessage(tenant, { ...written, callId: call.id, participantId: writer });
  await endAttendance(tenant, writer);
  await visit();
  const { rows } = await app.owner.query(
    `select t.account_id from chat_messages m join attendances t on t.id = m.participant_id
      where m.call_id = $1`,
    [call.id],
  );
  expect(rows).toHaveLength(1);
});

test('R21-7: a call that guests entered any number of times is answered with the first thousand', async () => {
  const { ada, call, begin } = await accountInCall();
  const host = await begin();
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name, joined_at, left_at, last_seen_at)
      select gen_random_uuid(), org_id, call_id, 'guest', 'Guest ' || n, joined_at + n * interval '1 second',
        joined_at + n * interval '1 second', joined_at from attendances, generate_series(1, 1500) n where id = $1`,
    [host],
  );
  const details = await ada.call(readCall, { params: { id: call.id } });
  expect(details.attendances).toHaveLength(mostAttendances);
  expect(details.attendances[0]?.id).toBe(host);
  expect(details.attendances.at(-1)?.name).toBe('Guest 999');
  expect(details.participantsJson).toHaveLength(mostAttendances);
  const page = await ada.call(listCalls, {});
  expect(page.find(({ id }) => id === call.id)?.participantsJson).toHaveLength(mostAttendances);
});
