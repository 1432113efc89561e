import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { fakeMediaServer } from '#server/testing/fake-media-server.ts';
import { type Entered, enter, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { bothOn, greet, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let room: string;
let call: string;

async function openWith(video: ReturnType<typeof fakeMediaServer>['video']) {
  app = await openTestApp({ MESH_LIMIT: '2' }, { video });
  url = await app.listen();
}
beforeEach(async () => {
  ada = await newOrganization(app);
  room = (await ada.call(createRoom, { body: { topic: 'Review' } })).id;
  call = (await ada.call(startCall, { body: { roomId: room } })).id;
});

const guest = async (name: string) => enter(url, await guestTokenOf(app, ada, room), { name });
const staff = async () => enter(url, await staffTokenOf(ada, room));
const pass = (page: Entered, differsFrom = '') =>
  page.until('media-server', (one) => one.room !== differsFrom);
const stored = async () =>
  (
    await app.owner.query(
      'select id, reason, closed_at is null as open from media_rooms where room_id = $1 order by id',
      [room],
    )
  ).rows;

describe('where LiveKit carries every call', () => {
  const fake = fakeMediaServer('livekit');
  beforeAll(() => openWith(fake.video));
  afterAll(() => app.close());

  test('an access token lets only publish and subscribe in its room, for two minutes', async () => {
    const bo = await guest('Bo');
    const { token, room: mediaRoom } = await pass(bo);
    const { exp = 0, nbf, video, sub, name, metadata } = decodeJwt(token);
    expect(sub).toBe(bo.id);
    expect({ name, metadata }).toEqual({});
    expect(exp - Date.now() / 1000).toBeLessThanOrEqual(120);
    expect(nbf ?? 0).toBeLessThanOrEqual(Date.now() / 1000);
    expect(video).toEqual({
      roomJoin: true,
      room: `${ada.user.orgId}.${room}.${mediaRoom}`,
      canSubscribe: true,
      canPublish: true,
      canPublishSources: ['microphone', 'camera', 'screen_share', 'screen_share_audio'],
      canPublishData: false,
      canUpdateOwnMetadata: false,
    });
  });

  test('all participants of a room get the same media room, those of another room another', async () => {
    const [bo, cy] = await Promise.all([guest('Bo'), guest('Cy')]);
    expect((await pass(bo)).room).toBe((await pass(cy)).room);
    expect(await stored()).toMatchObject([{ reason: 'engine', open: true }]);
    expect(bo.welcome.byServer).toBe(true);
    const other = (await ada.call(createRoom, { body: { topic: 'Other' } })).id;
    const elsewhere = await enter(url, await staffTokenOf(ada, other));
    expect((await pass(elsewhere)).room).not.toBe((await pass(bo)).room);
  });

  test('in the preview no access token is issued, because all who can listen are in the roster', async () => {
    const token = await guestTokenOf(app, ada, room);
    const page = await hello(url, token);
    await page.until('waiting');
    expect((await page.settled()).all('media-server')).toEqual([]);
    greet(page, token, 'Bo');
    await page.until('media-server');
    const adas = await enter(url, await staffTokenOf(ada, room), { media: undefined });
    expect((await adas.settled()).all('media-server')).toEqual([]);
    adas.send({ type: 'join', media: bothOn });
    await adas.until('media-server');
  });

  test('attack 28: after a removal the others move to a room that no old access token opens', async () => {
    const adas = await staff();
    const token = await guestTokenOf(app, ada, room);
    const bo = await enter(url, token, { name: 'Bo' });
    const before = (await pass(bo)).room;
    adas.send({ type: 'remove', to: bo.id });
    expect(await bo.closed).toBe(closeCodes.removed);
    const after = (await pass(adas, before)).room;
    expect(bo.all('media-server').map((one) => one.room)).not.toContain(after);
    expect(fake.orders).toContain(`remove ${before} ${bo.id}`);
    expect(await stored()).toMatchObject([
      { id: before, open: false },
      { id: after, reason: 'removal', open: true },
    ]);
    expect(await refusedHello(url, { token })).toBe(closeCodes.removed);
  });

  test('R20-56: who is revoked while their socket is gone loses the media room', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const adas = await staff();
    const bens = await enter(url, await staffTokenOf(ben, room));
    const before = (await pass(bens)).room;
    await bens.drop();
    await adas.until('changed', ({ participant }) => !participant.connected);
    await ada.call(removeUser, { params: { id: ben.user.id } });
    const after = (await pass(adas, before)).room;
    expect(await stored()).toMatchObject([
      { id: before, open: false },
      { id: after, reason: 'removal', open: true },
    ]);
  });

  test('R20-56: who has kept their rights meanwhile moves nobody', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const adas = await staff();
    const bens = await enter(url, await staffTokenOf(ben, room));
    await pass(bens);
    await bens.drop();
    await adas.until('changed', ({ participant }) => !participant.connected);
    await ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'ORGADMIN' } });
    await adas.until('left', ({ participantId }) => participantId === bens.id);
    expect(await stored()).toMatchObject([{ open: true }]);
  });

  test('leaving, muting and the end of a call also apply in LiveKit', async () => {
    const adas = await staff();
    const bo = await guest('Bo');
    const cy = await guest('Cy');
    const { room: mediaRoom } = await pass(bo);
    adas.send({ type: 'mute', to: bo.id });
    await vi.waitFor(() => expect(fake.orders).toContain(`mute ${mediaRoom} ${bo.id}`));
    cy.send({ type: 'leave' });
    await vi.waitFor(() => expect(fake.orders).toContain(`remove ${mediaRoom} ${cy.id}`));
    await ada.call(updateCall, { params: { id: call }, body: { endForEveryone: true } });
    await vi.waitFor(() => expect(fake.orders).toContain(`close ${mediaRoom}`));
    expect(await stored()).toMatchObject([{ open: false }]);
  });

  test('a page that lost its media gets a new access token, and all move if the room is dead', async () => {
    const [bo, cy] = [await guest('Bo'), await guest('Cy')];
    const { room: before } = await pass(bo);
    bo.send({ type: 'media-lost', room: before });
    await vi.waitFor(() => expect(bo.all('media-server').length).toBe(2));
    expect(bo.all('media-server').at(-1)?.room).toBe(before);
    fake.dead.add(before);
    cy.send({ type: 'media-lost', room: before });
    const [one, other] = await Promise.all([pass(bo, before), pass(cy, before)]);
    expect(one.room).toBe(other.room);
    expect(await stored()).toMatchObject([
      { id: before, open: false },
      { id: one.room, reason: 'node_lost', open: true },
    ]);
    const late = await guest('Late');
    expect((await pass(late)).room).toBe(one.room);
  });

  test('a page that asks repeatedly is answered once a second', async () => {
    const bo = await guest('Bo');
    const { room: mediaRoom } = await pass(bo);
    for (let count = 0; count < 50; count += 1) bo.send({ type: 'media-lost', room: mediaRoom });
    await bo.settled();
    expect(bo.all('media-server').length).toBeLessThanOrEqual(3);
  });
});

describe('where a mesh grows to LiveKit', () => {
  beforeAll(() => openWith(fakeMediaServer('builtin').video));
  afterAll(() => app.close());

  test('no page gets an access token until the mesh is full; then all do', async () => {
    const [bo, cy] = [await guest('Bo'), await guest('Cy')];
    await bo.settled();
    expect(bo.welcome.byServer).toBeUndefined();
    expect([...bo.all('media-server'), ...cy.all('media-server')]).toEqual([]);
    const third = await guest('Third');
    const rooms = await Promise.all([bo, cy, third].map((page) => pass(page)));
    expect(new Set(rooms.map((one) => one.room)).size).toBe(1);
    expect(await stored()).toMatchObject([{ reason: 'mesh_full', open: true }]);
    const late = await guest('Late');
    expect(late.welcome.byServer).toBe(true);
    expect((await pass(late)).room).toBe(rooms[0]?.room);
  });

  test('of several concurrent joins, one opens the media room', async () => {
    const pages = await Promise.all(['Bo', 'Cy', 'Di', 'Ed', 'Fy'].map(guest));
    const rooms = await Promise.all(pages.map((page) => pass(page)));
    expect(new Set(rooms.map((one) => one.room)).size).toBe(1);
    expect((await stored()).length).toBe(1);
  });

  test('the next call of the room starts as a mesh again', async () => {
    const adas = await staff();
    await Promise.all(['Bo', 'Cy'].map(guest));
    await pass(adas);
    await ada.call(updateCall, { params: { id: call }, body: { endForEveryone: true } });
    await adas.closed;
    await ada.call(startCall, { body: { roomId: room } });
    const again = await staff();
    expect((await again.settled()).all('media-server')).toEqual([]);
  });
});
