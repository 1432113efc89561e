import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall } from '#domain/calls/contract.ts';
import { archiveRoom, createRoom, updateRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { type Entered, enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import {
  admittedGuest,
  firstAnswer,
  guestTokenOf,
  hello,
  staffTokenOf,
} from '#server/testing/waiting-guest.ts';

/** Not an error for the page: it says hello again, and shows the lobby. */
const helloAgain = 1012;

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: Awaited<ReturnType<typeof newMember>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  ben = await newMember(app, ada, 'AGENT');
});
afterAll(() => app.close());

const newRoom = async (lobby: boolean) =>
  (await ada.call(createRoom, { body: { topic: 'Review', lobby } })).id;
const setLobby = (id: string, lobby: boolean) =>
  ada.call(updateRoom, { params: { id }, body: { lobby } });

/** A guest in the room, whom Ben has admitted. */
async function admittedByBen(id: string): Promise<Entered> {
  const token = await admittedGuest({ app, url }, { admin: ada, host: ben }, id);
  return enter(url, token, { name: 'Cleo' });
}

/** Expects that the guest's page is sent to the lobby, and that a call which starts then is not theirs. */
async function expectInLobby(guest: Entered, id: string): Promise<void> {
  expect(await guest.closed).toBe(helloAgain);
  const host = await enter(url, await staffTokenOf(ada, id));
  await ada.call(startCall, { body: { roomId: id } });
  host.send({ type: 'chat', id: randomUUID(), text: 'confidential' });
  await host.until('chat');
  const again = await hello(url, guest.welcome.token, 'Cleo');
  expect(await firstAnswer(again)).toBe('waiting');
  expect(guest.all('chat')).toEqual([]);
  const { guests } = await host.until('lobby', (list) => list.guests.length === 1);
  host.send({ type: 'admit', guests: guests.map((one) => one.id) });
  await again.until('let-in');
}

test.each([
  ['was removed', () => ada.call(removeUser, { params: { id: ben.user.id } })],
  [
    'may run no calls any more',
    () => ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'VIEWER' } }),
  ],
])(
  'G2: a guest in a room goes back to the lobby when whoever admitted them %s',
  async (_what, end) => {
    const id = await newRoom(true);
    const guest = await admittedByBen(id);
    await end();
    await expectInLobby(guest, id);
  },
);

test('G2: switching the lobby on sends guests of a room without a call to it', async () => {
  const id = await newRoom(false);
  const guest = await enter(url, await guestTokenOf(app, ada, id), { name: 'Cleo' });
  await setLobby(id, true);
  await expectInLobby(guest, id);
});

test('G2: guests in the running call stay in it when the lobby is switched on', async () => {
  const id = await newRoom(false);
  await ada.call(startCall, { body: { roomId: id } });
  const guest = await enter(url, await guestTokenOf(app, ada, id), { name: 'Cleo' });
  const heard = app.services.revocations.count;
  await setLobby(id, true);
  await vi.waitFor(() => expect(app.services.revocations.count).toBeGreaterThan(heard));
  const host = await enter(url, await staffTokenOf(ada, id));
  host.send({ type: 'chat', id: randomUUID(), text: 'Welcome' });
  await guest.until('chat');
});

test('G2: archiving a room sends everyone in it away', async () => {
  const id = await newRoom(false);
  const people = [
    await enter(url, await guestTokenOf(app, ada, id), { name: 'Cleo' }),
    await enter(url, await staffTokenOf(ben, id)),
  ];
  const preview = await hello(url, await guestTokenOf(app, ada, id));
  await preview.until('waiting');
  await ada.call(archiveRoom, { params: { id } });
  for (const { closed } of [...people, preview]) expect(await closed).toBe(closeCodes.roomGone);
});

test('G2: a call that starts while a guest is looked up does not make them known to it', async () => {
  const id = await newRoom(false);
  const guest = await enter(url, await guestTokenOf(app, ada, id), { name: 'Cleo' });
  const { database } = app.services;
  const connection = database.connection;
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lookUps = vi.spyOn(database, 'connection').mockImplementation(async (tenant, use, turn) => {
    if (turn?.isUrgent) {
      begun.resolve();
      await held.promise;
    }
    return connection(tenant, use, turn);
  });
  try {
    await setLobby(id, true);
    await begun.promise;
    await ada.call(startCall, { body: { roomId: id } });
    await guest.until('call-started');
  } finally {
    held.resolve();
    lookUps.mockRestore();
  }
  expect(await guest.closed).toBe(helloAgain);
  expect(await firstAnswer(await hello(url, guest.welcome.token, 'Cleo'))).toBe('waiting');
});

test('G2: a guest whose hello is answered while the lobby is switched on, and a call starts, is held', async () => {
  const id = await newRoom(false);
  const token = await guestTokenOf(app, ada, id);
  const { database, revocations } = app.services;
  const read = vi.spyOn(database, 'connection');
  // Right after the query of the hello has admitted the guest.
  read.mockImplementation(async (tenant, use) => {
    read.mockRestore();
    const found = await database.connection(tenant, use);
    const heard = revocations.count;
    await setLobby(id, true);
    await vi.waitFor(() => expect(revocations.count).toBeGreaterThan(heard));
    await ada.call(startCall, { body: { roomId: id } });
    return found;
  });
  const guest = await enter(url, token, { name: 'Cleo' });
  expect(await guest.closed).toBe(helloAgain);
});

test('R29-A9: whose link has expired before the call starts is not in it, and others are', async () => {
  const id = await newRoom(false);
  const join = async () => enter(url, await guestTokenOf(app, ada, id), { name: 'Cleo' });
  const [late, early] = [await newRoom(false), await join()];
  const other = await enter(url, await guestTokenOf(app, ada, late), { name: 'Bo' });
  await app.owner.query(
    `update guest_links set name = 'Bo', expires_at = now() where room_id = $1`,
    [late],
  );
  for (const roomId of [late, id]) await ada.call(startCall, { body: { roomId } });
  expect(await other.closed).toBe(closeCodes.tokenRefused);
  const attending = () =>
    app.owner.query(
      'select room_id from attendances join calls c on c.id = call_id where c.org_id = $1',
      [ada.user.orgId],
    );
  await expect.poll(async () => (await attending()).rows).toEqual([{ room_id: id }]);
  expect(early.socket.readyState).toBe(early.socket.OPEN);
});
