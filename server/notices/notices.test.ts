import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startCall } from '#domain/calls/contract.ts';
import { readPersonalRoom } from '#domain/links/contract.ts';
import { decideOnLobby } from '#domain/notices/contract.ts';
import { archiveRoom, createRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { buildApp } from '#server/app.ts';
import { enter } from '#server/testing/live-client.ts';
import { NoticeClient } from '#server/testing/notice-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: Awaited<ReturnType<typeof newMember>>;
let id: string;
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' });
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  ben = await newMember(app, ada, 'AGENT');
  id = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
});
afterAll(() => app.close());

const notices = (visitor: Visitor, at = url) => NoticeClient.open(at, visitor);
/** A guest who asks to join. */
async function knocks(name: string, room = id, at = url) {
  const token = await guestTokenOf(app, ada, room);
  const page = await hello(at, token, name);
  await page.until('waiting', ({ since }) => since !== null);
  return Object.assign(page, { guest: String(decodeJwt(token).participantId) });
}
const decide = (by: Visitor, guests: string[], decision: 'admitted' | 'refused' = 'admitted') =>
  by.call(decideOnLobby, { params: { id }, body: { guests, decision } });

test('a guest who asks to join rings at the room’s creator, and others see the number only', async () => {
  const [hers, his] = [await notices(ada), await notices(ben)];
  const samuel = await knocks('Samuel');
  await hers.until(() => hers.guestsOf(id)?.length === 1);
  await his.until(() => his.room(id)?.waiting === 1);
  expect(hers.room(id)).toMatchObject({
    topic: 'Review',
    call: null,
    waiting: 1,
    guests: [{ id: samuel.guest, name: 'Samuel' }],
  });
  expect(his.guestsOf(id)).toBe(undefined);
  expect(JSON.stringify(his.heard)).not.toContain('Samuel');
  samuel.send({ type: 'leave' });
  await hers.until(() => hers.room(id)?.waiting === 0);
});

test('a room whose creator has left the organization rings at all who may admit', async () => {
  const room = (await ben.call(createRoom, { body: { topic: 'Handover', lobby: true } })).id;
  const hers = await notices(ada);
  const samuel = await knocks('Samuel', room);
  await hers.until(() => hers.room(room)?.waiting === 1);
  expect(hers.guestsOf(room)).toBe(undefined);
  samuel.send({ type: 'leave' });
  await hers.until(() => hers.room(room)?.waiting === 0);
  await ada.call(removeUser, { params: { id: ben.user.id } });
  await knocks('Rosa', room);
  await hers.until(() => hers.room(room)?.waiting === 1);
  expect(hers.guestsOf(room)).toEqual(['Rosa']);
});

test('staff in the call are called to the door, too, and everyone sees that it is live', async () => {
  await ben.call(startCall, { body: { roomId: id } });
  const his = await notices(ben);
  expect(his.room(id)).toBe(undefined);
  const page = await enter(url, await staffTokenOf(ben, id));
  await his.until(() => his.room(id)?.call?.people === 1);
  expect(his.room(id)?.call).toMatchObject({ people: 1, isHosted: true });
  await knocks('Samuel');
  await his.until(() => his.guestsOf(id)?.[0] === 'Samuel');
  page.send({ type: 'leave' });
  await his.until(() => his.room(id)?.call === null);
  await his.until(() => his.guestsOf(id) === undefined);
});

test('the owner of a personal room is called to its door', async () => {
  const { roomId } = await ben.call(readPersonalRoom);
  await app.owner.query('update rooms set lobby_at = now() where id = $1', [roomId]);
  const [hers, his] = [await notices(ada), await notices(ben)];
  const guest = await hello(url, await guestTokenOf(app, ben, roomId), 'Samuel');
  await guest.until('waiting', ({ since }) => since !== null);
  await his.until(() => his.guestsOf(roomId)?.[0] === 'Samuel');
  await hers.until(() => hers.room(roomId)?.waiting === 1);
  expect(hers.guestsOf(roomId)).toBe(undefined);
});

test('a browser that connects later is told who waits, and one of another organization nothing', async () => {
  const eve = await newOrganization(app);
  const foreign = await notices(eve);
  await knocks('Samuel');
  expect((await notices(ada)).guestsOf(id)).toEqual(['Samuel']);
  await (await notices(eve)).settled();
  expect((await foreign.settled()).rooms.size).toBe(0);
  const reply = await eve.send('POST', `/api/rooms/${id}/lobby-decisions`, {
    guests: ['01890000-0000-7000-8000-000000000001'],
    decision: 'admitted',
  });
  expect(reply.status).toBe(404);
});

test('a guest alone in a room without a lobby is noticed until someone of the team joins', async () => {
  const room = await ada.call(createRoom, { body: { topic: 'Open' } });
  const [hers, his] = [await notices(ada), await notices(ben)];
  const guest = await enter(url, await guestTokenOf(app, ada, room.id), { name: 'Samuel' });
  await hers.until(() => hers.guestsOf(room.id)?.[0] === 'Samuel');
  expect(hers.room(room.id)).toMatchObject({
    call: null,
    waiting: 1,
    guests: [{ isInside: true }],
  });
  await his.until(() => his.room(room.id)?.waiting === 1);
  expect(his.guestsOf(room.id)).toBe(undefined);

  await ben.call(startCall, { body: { roomId: room.id } });
  await enter(url, await staffTokenOf(ben, room.id));
  await hers.until(() => hers.room(room.id)?.call?.people === 2);
  expect(hers.room(room.id)?.waiting).toBe(0);
  guest.send({ type: 'leave' });
  await hers.until(() => hers.room(room.id)?.call?.people === 1);
});

test('a guest who is alone in a room and leaves is no longer noticed', async () => {
  const room = await ada.call(createRoom, { body: { topic: 'Open' } });
  const hers = await notices(ada);
  const guest = await enter(url, await guestTokenOf(app, ada, room.id), { name: 'Samuel' });
  await hers.until(() => hers.room(room.id)?.waiting === 1);
  guest.send({ type: 'leave' });
  await hers.until(() => hers.room(room.id)?.waiting === 0);
});

test('guests and browsers on different processes find each other', async () => {
  const other = await buildApp(app.services, { pagesDir: null, strictAnswers: true });
  const second = (await other.listen({ port: 0, host: '127.0.0.1' })).replace(/^http/, 'ws');
  try {
    const hers = await notices(ada, second);
    const samuel = await knocks('Samuel');
    await hers.until(() => hers.guestsOf(id)?.[0] === 'Samuel');
    await decide(ada, [samuel.guest]);
    await hers.until(() => hers.room(id)?.waiting === 0);
    await samuel.until('let-in');
  } finally {
    await other.close();
  }
});

test('a guest is admitted or denied from any page', async () => {
  const hers = await notices(ada);
  const [samuel, tina] = [await knocks('Samuel'), await knocks('Tina')];
  await hers.until(() => hers.room(id)?.waiting === 2);
  expect(await decide(ada, [samuel.guest])).toEqual({ decided: [samuel.guest], earlier: [] });
  await samuel.until('let-in');
  await decide(ada, [tina.guest], 'refused');
  expect(await tina.closed).toBe(4424);
  await hers.until(() => hers.room(id)?.waiting === 0);
});

test('of two agents who decide, one wins, and the other is told who was first', async () => {
  const samuel = await knocks('Samuel');
  const answers = await Promise.all([decide(ada, [samuel.guest]), decide(ben, [samuel.guest])]);
  const winner = answers.findIndex(({ decided }) => decided.length === 1);
  const name = [ada, ben].map(({ user }) => `${user.firstName} ${user.lastName}`)[winner];
  expect(answers[1 - winner]).toEqual({
    decided: [],
    earlier: [
      { guest: samuel.guest, name: 'Samuel', decision: 'admitted', by: name, isOwn: false },
    ],
  });
  const loser = [ben, ada][winner];
  expect((await decide(loser ?? ben, [samuel.guest], 'refused')).earlier).toHaveLength(1);
  await samuel.until('let-in');
});

test('a viewer is not called and may not admit, even as the room’s creator', async () => {
  const { revocations } = app.services;
  const before = revocations.count;
  await app.owner.query("update memberships set role = 'VIEWER' where account_id = $1", [
    ada.user.id,
  ]);
  // Which would close the socket.
  await expect.poll(() => revocations.count).toBeGreaterThan(before);
  const hers = await notices(ada);
  const token = await guestTokenOf(app, ben, id);
  const page = await hello(url, token, 'Samuel');
  await page.until('waiting', ({ since }) => since !== null);
  await hers.until(() => hers.room(id)?.waiting === 1);
  expect(hers.guestsOf(id)).toBe(undefined);
  const guest = String(decodeJwt(token).participantId);
  const reply = await ada.send('POST', `/api/rooms/${id}/lobby-decisions`, {
    guests: [guest],
    decision: 'admitted',
  });
  expect(reply.status).toBe(403);
});

test('ten guests who ask at once are all counted and named', async () => {
  const hers = await notices(ada);
  const tokens = await Promise.all(Array.from({ length: 10 }, () => guestTokenOf(app, ada, id)));
  await Promise.all(
    tokens.map(async (token, n) => {
      const page = await hello(url, token, `Guest ${n}`, { 'x-forwarded-for': `203.0.113.${n}` });
      await page.until('waiting', ({ since }) => since !== null);
    }),
  );
  await hers.until(() => hers.room(id)?.waiting === 10);
  expect(hers.guestsOf(id)?.toSorted()).toEqual(tokens.map((_, n) => `Guest ${n}`));
});

test('a long name, or one with markup, arrives as plain text of at most 80 characters', async () => {
  const hers = await notices(ada);
  await knocks(`<img src=x onerror=alert(1)>${'x'.repeat(472)}`);
  await hers.until(() => hers.guestsOf(id)?.length === 1);
  const [name = ''] = hers.guestsOf(id) ?? [];
  expect(name).toMatch(/^<img src=x onerror=alert\(1\)>x+$/);
  expect(name).toHaveLength(80);
});

test('a room that is archived while a guest waits leaves the notices', async () => {
  const hers = await notices(ada);
  await knocks('Samuel');
  await hers.until(() => hers.room(id)?.waiting === 1);
  await ada.call(archiveRoom, { params: { id } });
  await hers.until(() => hers.room(id)?.waiting === 0);
});
