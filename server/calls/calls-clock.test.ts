import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { guestTokenOf, hello } from '#server/testing/waiting-guest.ts';
import { callsClock, type Present } from './calls-clock.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
afterAll(() => app.close());

const longUp = new Date(Date.now() - 3_600_000);
const nobody = {
  stillPresent: async () => ({ people: [], openCalls: [] }),
  renewPresence: async () => undefined,
  endExpired: async () => undefined,
};

/** A call that is due to be closed, and a guest of whom a mail is due. */
async function newDueWork() {
  const staff = await newOrganization(app);
  const { call } = await runningCall(staff);
  const { id } = await staff.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const guest = await hello(url, await guestTokenOf(app, staff, id), 'Bo');
  await guest.until('waiting', ({ since }) => since !== null);
  const { orgId } = staff.user;
  if (!orgId) throw new Error('a new person has an organization');
  await app.owner.query(
    "update calls set last_seen_at = now() - interval '3 minutes' where org_id = $1",
    [orgId],
  );
  await app.owner.query(
    "update lobby_entries set waiting_since = now() - interval '2 minutes' where org_id = $1",
    [orgId],
  );
  const isDone = async () => {
    const { rows } = await app.owner.query(
      `select (select ended_at is not null from calls where id = $1) as closed,
        exists (select 1 from mails where recipient = $2 and kind = 'notice') as mailed`,
      [call.id, staff.user.email],
    );
    return rows[0];
  };
  return { orgId, isDone };
}
const done = { closed: true, mailed: true };
const patience = { timeout: 5_000 };

test('R6-9: an organization that has used up its share of connections delays calls and mails of no other', async () => {
  const [slow, other] = [await newDueWork(), await newDueWork()];
  const held = Promise.withResolvers<void>();
  const holds = ['a', 'a', 'b', 'b'].map((actorKey) =>
    app.services.database.connection(slow.orgId, () => held.promise, { actorKey }),
  );
  callsClock(app.services, nobody, longUp)();
  await expect.poll(other.isDone, patience).toEqual(done);
  expect(await slow.isDone()).toEqual({ closed: false, mailed: false });
  held.resolve();
  await Promise.all(holds);
  await expect.poll(slow.isDone, patience).toEqual(done);
});

test('R6-9: mails about waiting guests do not wait until it is known who is present', async () => {
  const { isDone } = await newDueWork();
  let asked = 0;
  const { promise, resolve: answer } = Promise.withResolvers<Present>();
  const stillPresent = () => {
    asked += 1;
    return promise;
  };
  const tick = callsClock(app.services, { ...nobody, stillPresent }, longUp);
  tick();
  await expect.poll(isDone, patience).toEqual({ closed: false, mailed: true });
  // A round that runs is not begun again, and calls are closed once the people present were marked as seen.
  tick();
  expect(asked).toBe(1);
  answer({ people: [], openCalls: [] });
  await expect.poll(isDone, patience).toEqual(done);
});

test('G15: each tick ends what expired sessions have opened', () => {
  const endExpired = vi.fn(async () => undefined);
  callsClock(app.services, { ...nobody, endExpired }, new Date())();
  expect(endExpired).toHaveBeenCalledOnce();
});

test('R20-55: people are marked as seen, and calls are closed, while their presence cannot be renewed', async () => {
  const { isDone } = await newDueWork();
  const held = Promise.withResolvers<void>();
  const renewPresence = vi.fn(() => held.promise);
  const tick = callsClock(app.services, { ...nobody, renewPresence }, longUp);
  tick();
  await expect.poll(isDone, patience).toEqual(done);
  tick();
  expect(renewPresence).toHaveBeenCalledOnce();
  held.resolve();
});
