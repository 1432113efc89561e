import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ToServer } from '#domain/calls/live.ts';
import { changeRoomCapture } from '#domain/consent/contract.ts';
import { questionVersion } from '#domain/consent/question.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { guestTokenOf, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let bea: Awaited<ReturnType<typeof newMember>>;
let started: Awaited<ReturnType<typeof runningCall>>;
let beas: Entered;
let guest: Entered;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  bea = await newMember(app, ada, 'AGENT');
  started = await runningCall(ada);
  const params = { id: started.room.id };
  await ada.call(changeRoomCapture, { params, body: { recording: 'ask' } });
  guest = await enter(url, await guestTokenOf(app, ada, started.room.id), { name: 'Cleo' });
  beas = await enter(url, await staffTokenOf(bea, started.room.id));
  await beas.settled();
});
afterAll(() => app.close());

const remove = () => ada.call(removeUser, { params: { id: bea.user.id } });
const demote = () =>
  ada.call(changeRole, { params: { userId: bea.user.id }, body: { role: 'VIEWER' } });

/** Has Bea's message wait for the call's row while `act` ends her right to it, until that is done. */
async function sendLate(message: ToServer, act: () => Promise<unknown>): Promise<void> {
  await app.owner.query('begin');
  try {
    await app.owner.query('select from calls where id = $1 for update', [started.call.id]);
    beas.send(message);
    await vi.waitFor(async () => expect(await lockWaiters(app)).toBeGreaterThan(0), {
      timeout: 10_000,
    });
    await act();
  } finally {
    await app.owner.query('commit');
  }
  await vi.waitFor(async () => expect(await openTransactions()).toBe(0), { timeout: 10_000 });
}
async function openTransactions(): Promise<number> {
  const { rows } = await app.owner.query(`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`);
  return rows[0].open;
}
async function stored() {
  const { rows } = await app.owner.query(
    `select (select locked_at is not null from calls where id = $1) as "isLocked",
      (select count(*)::int from captures where call_id = $1) as captures,
      (select count(*)::int from call_removals where call_id = $1) as removals,
      (select count(*)::int from chat_messages where call_id = $1) as messages,
      (select count(*)::int from consents where call_id = $1) as answers`,
    [started.call.id],
  );
  return rows[0];
}
const nothing = { isLocked: false, captures: 0, removals: 0, messages: 0, answers: 0 };

const messages: Record<string, () => ToServer> = {
  lock: () => ({ type: 'lock', locked: true }),
  recording: () => ({ type: 'capture', id: randomUUID(), kind: 'recording', running: true }),
  removal: () => ({ type: 'remove', to: guest.id }),
};

test.each(
  Object.entries(messages).flatMap(([what, message]) => [
    [what, 'removed', message, remove] as const,
    [what, 'demoted', message, demote] as const,
  ]),
)(
  'R25-A2: a %s that waits while its sender is %s is not stored',
  async (_what, _how, message, act) => {
    await sendLate(message(), act);
    expect(await stored()).toEqual(nothing);
  },
);

test('R25-A2: a chat message that waited while its sender was removed is not stored', async () => {
  await sendLate({ type: 'chat', id: randomUUID(), text: 'late' }, remove);
  expect(await stored()).toEqual(nothing);
});

test('R25-A2: an answer to the question of consent counts, even if its sender is removed meanwhile', async () => {
  const asked = ['recording' as const];
  await sendLate(
    { type: 'consent', id: randomUUID(), asked, agreed: [], questionVersion, language: 'en' },
    remove,
  );
  expect(await stored()).toEqual({ ...nothing, answers: 1 });
});
