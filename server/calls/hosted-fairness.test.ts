import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { createLink, revokeLink } from '#domain/links/contract.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import type { Database } from '#server/platform/database.ts';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { moreHolders } from '#server/testing/hosted-holders.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf } from '#server/testing/waiting-guest.ts';
import { sendEverybodyOut } from './hosted-removal.ts';

let daily: DailyStandIn;
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  daily = await new DailyStandIn().open();
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com', ...daily.settings });
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
  daily.asked.length = 0;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await app.close();
  await daily.close();
});

const holder = () => daily.tokensAsked.at(-1)?.user_id ?? '';
async function colleagueAtDaily() {
  const ben = await newMember(app, ada, 'AGENT');
  await ben.call(openRoom, { params: { id: started.room.id } });
  return { ben, id: holder() };
}
async function guestAtDaily(of = ada, room = started.room.id): Promise<string> {
  const token = await guestTokenOf(app, of, room);
  await new Visitor(app).send('POST', '/api/hosted-admissions', { token, name: 'Bo' });
  return holder();
}
const expectEjected = (id: string) =>
  vi.waitFor(() => expect(JSON.stringify(daily.ejections)).toContain(id));

/** A link of Ada's room or another one, with as many holders of a token. */
async function linkWithHolders(count: number, of = ada, room = started.room.id): Promise<string> {
  const { id } = await of.call(createLink, { params: { id: room }, body: { name: 'Fair' } });
  await moreHolders(app, await guestAtDaily(of, room), count, id);
  return id;
}

/** Holds the look-ups of an organization's participants, and records of whom they are. */
function holdAdmissions(org: string | null) {
  const { database } = app.services;
  const original = database.connection;
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const kinds: ('staff' | 'guest')[] = [];
  const holding: Database['connection'] = (tenant, use, turn) =>
    original(
      tenant,
      (connection) =>
        use({
          ...connection,
          run: async (statement, values) => {
            if (statement.name === 'admission' && values[0] === org) {
              kinds.push(values[2] ? 'staff' : 'guest');
              begun.resolve();
              await held.promise;
            }
            return connection.run(statement, values);
          },
        }),
      turn,
    );
  vi.spyOn(database, 'connection').mockImplementation(holding);
  return { begun: begun.promise, release: held.resolve, kinds };
}

test('R11B-3: links that an organization revokes hold up no look-up of another one', async () => {
  const { id, ben } = await colleagueAtDaily();
  const mallory = await newOrganization(app);
  const { room } = await runningCall(mallory);
  const links = [];
  for (let n = 0; n < 4; n += 1) links.push(await linkWithHolders(2, mallory, room.id));
  const { begun, release } = holdAdmissions(mallory.user.orgId);
  try {
    await Promise.all(links.map((id) => mallory.call(revokeLink, { params: { id } })));
    await begun;
    await ada.call(removeUser, { params: { id: ben.user.id } });
    await expectEjected(id);
  } finally {
    release();
  }
});

test('R11B-3: a turn is a hundred holders, and then colleagues come before guests', async () => {
  const { id, ben } = await colleagueAtDaily();
  const link = await linkWithHolders(250);
  const { revocations } = app.services;
  const { begun, release, kinds } = holdAdmissions(ada.user.orgId);
  await ada.call(revokeLink, { params: { id: link } });
  await begun;
  const heard = revocations.count;
  await app.owner.query('delete from memberships where account_id = $1', [ben.user.id]);
  await vi.waitFor(() => expect(revocations.count).toBeGreaterThan(heard));
  release();
  await expectEjected(id);
  expect(kinds.indexOf('staff')).toBe(100);
  await vi.waitFor(() => expect(kinds.filter((kind) => kind === 'guest')).toHaveLength(250));
});

test('R11B-5: ejections do not wait for their organization’s connections', async () => {
  const { id, ben } = await colleagueAtDaily();
  const bo = await guestAtDaily();
  const org = orgId.parse(ada.user.orgId);
  const { database } = app.services;
  const held = Promise.withResolvers<void>();
  const holding = Array.from({ length: 12 }, (_, n) =>
    database.connection(org, () => held.promise, { actorKey: `search ${n}` }),
  );
  try {
    await app.owner.query('delete from memberships where account_id = $1', [ben.user.id]);
    await expectEjected(id);
    sendEverybodyOut(app.services, { orgId: org, roomId: started.room.id }, started.call.id);
    await expectEjected(bo);
    await vi.waitFor(async () => {
      const { rows } = await app.owner.query(
        'select from hosted_tokens where org_id = $1 and eject_ban is not null',
        [org],
      );
      expect(rows, 'confirmed').toEqual([]);
    });
  } finally {
    held.resolve();
    await Promise.all(holding);
  }
});
