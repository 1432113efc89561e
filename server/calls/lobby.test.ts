import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { readCall, readChat, startCall } from '#domain/calls/contract.ts';
import { archiveRoom, createRoom, renewGuestLink, updateRoom } from '#domain/rooms/contract.ts';
import { buildApp } from '#server/app.ts';
import { enter, type LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { bothOn, greet, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let id: string;
let callId: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  id = (await ada.call(createRoom, { body: { topic: 'Review', lobby: true } })).id;
  callId = (await ada.call(startCall, { body: { roomId: id } })).id;
});
afterAll(() => app.close());

const guestToken = () => guestTokenOf(app, ada, id);
const host = async () => enter(url, await staffTokenOf(ada, id));
const idOf = (token: string) => String(decodeJwt(token).participantId);
const asked = (page: LiveClient) => page.until('waiting', ({ since }) => since !== null);
const sees = (page: LiveClient, ...names: string[]) =>
  page.until('lobby', ({ guests }) => guests.map(({ name }) => name).join() === names.join());

/** Returns a guest who has asked for admission. */
async function waiting(name: string) {
  const token = await guestToken();
  const page = await hello(url, token, name);
  const { since, token: newest } = await asked(page);
  return Object.assign(page, { token: newest, since, guest: idOf(token) });
}
/** Joins like a page that receives its admission. */
async function comeIn(page: LiveClient & { token: string }, name: string) {
  await page.until('let-in');
  greet(page, page.token, name);
  return page.until('welcome');
}

test('a guest waits, the host sees and admits them, and both are in the call', async () => {
  const bo = await waiting('Bo');
  expect(bo.all('waiting')[0]).toMatchObject({ hostIsHere: false, said: null });
  const adas = await host();
  expect((await sees(adas, 'Bo')).guests).toEqual([{ id: bo.guest, name: 'Bo', since: bo.since }]);
  expect(adas.welcome.participants.map(({ kind }) => kind)).toEqual(['staff']);
  adas.send({ type: 'admit', guests: [bo.guest] });
  const { participants, self } = await comeIn(bo, 'Bo');
  expect(self).toBe(bo.guest);
  expect(participants.length).toBe(2);
  await adas.until('joined', ({ participant }) => participant.name === 'Bo');
  await vi.waitFor(() => expect(adas.all('lobby').at(-1)?.guests).toEqual([]));
});

test('the preview asks for no admission; Join does, with the name', async () => {
  const adas = await host();
  const token = await guestToken();
  const page = await hello(url, token);
  expect(await page.until('waiting')).toMatchObject({ since: null, hostIsHere: true });
  expect((await adas.settled()).all('lobby').flatMap(({ guests }) => guests)).toEqual([]);
  page.send({ type: 'join', name: 'Bo', media: bothOn });
  await asked(page);
  await sees(adas, 'Bo');
});

test('a guest in the lobby cannot signal, chat or react, receives nothing, and does not attend', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  await sees(adas, 'Bo');
  const before = adas.heard.length;
  bo.send({ type: 'signal', to: adas.id, signal: { candidate: null } });
  bo.send({ type: 'chat', id: 'one', text: 'Hello?' });
  bo.send({ type: 'chat-since', after: null });
  bo.send({ type: 'react', reaction: '🎉' });
  bo.send({ type: 'media', media: bothOn });
  bo.send({ type: 'admit', guests: [bo.guest] });
  bo.send({ type: 'lock', locked: true });
  adas.send({ type: 'signal', to: bo.guest, signal: { candidate: null } });
  adas.send({ type: 'chat', id: 'two', text: 'Among us' });
  await adas.until('saved', ({ id: saved }) => saved === 'two');
  await bo.settled();
  await adas.settled();
  const others = adas.heard.slice(before).map(({ type }) => type);
  expect(others.filter((type) => !['chat', 'saved', 'pong'].includes(type))).toEqual([]);
  expect(new Set(bo.heard.map(({ type }) => type))).toEqual(new Set(['waiting', 'pong']));
  const details = await ada.call(readCall, { params: { id: callId } });
  expect(details.attendances.map(({ name }) => name)).not.toContain('Bo');
  expect((await ada.call(readChat, { params: { id: callId } })).length).toBe(1);
});

test('a reload keeps the place of the guest and the start of the wait', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  bo.send({ type: 'leave' });
  await bo.closed;
  await vi.waitFor(() => expect(adas.all('lobby').at(-1)?.guests).toEqual([]));
  const back = await hello(url, bo.token, 'Bo');
  expect((await asked(back)).since).toBe(bo.since);
  await vi.waitFor(() =>
    expect(adas.all('lobby').at(-1)?.guests).toEqual([
      { id: bo.guest, name: 'Bo', since: bo.since },
    ]),
  );
  await back.drop();
  await vi.waitFor(() => expect(adas.all('lobby').at(-1)?.guests).toEqual([]));
});

test('a refusal is final for that guest, also after a reload and once the lobby is off', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  await sees(adas, 'Bo');
  adas.send({ type: 'refuse', guest: bo.guest });
  expect(await bo.closed).toBe(closeCodes.refusedEntry);
  expect(await (await hello(url, bo.token, 'Bo')).closed).toBe(closeCodes.refusedEntry);
  adas.send({ type: 'admit', guests: [bo.guest] });
  const eves = await enter(url, await staffTokenOf(await newMember(app, ada, 'AGENT'), id));
  eves.send({ type: 'admit', guests: [bo.guest] });
  const { firstName, lastName } = ada.user;
  expect(await eves.until('refused')).toMatchObject({
    code: 'already_denied',
    message: `Bo was already denied by ${firstName} ${lastName}.`,
  });
  expect((await adas.settled()).all('refused')).toEqual([]);
  await ada.call(updateRoom, { params: { id }, body: { lobby: false } });
  expect(await (await hello(url, bo.token, 'Bo')).closed).toBe(closeCodes.refusedEntry);
});

test('of two concurrent decisions of hosts the first counts, and one audit event is stored', async () => {
  const [one, two] = [
    await host(),
    await enter(url, await staffTokenOf(await newMember(app, ada, 'AGENT'), id)),
  ];
  const bo = await waiting('Bo');
  await sees(one, 'Bo');
  await sees(two, 'Bo');
  one.send({ type: 'admit', guests: [bo.guest] });
  two.send({ type: 'admit', guests: [bo.guest] });
  await comeIn(bo, 'Bo');
  await vi.waitFor(() =>
    expect([...one.all('refused'), ...two.all('refused')].map(({ code }) => code)).toEqual([
      'already_admitted',
    ]),
  );
  const { rows } = await app.owner.query(
    `select entity_id, metadata from audit_events where org_id = $1 and action = 'GUEST_ADMITTED'`,
    [ada.user.orgId],
  );
  expect(rows).toEqual([{ entity_id: id, metadata: { participantId: bo.guest } }]);
});

test('Admit all admits the guests whom the host saw, and later ones keep waiting', async () => {
  const adas = await host();
  const [bo, cy] = [await waiting('Bo'), await waiting('Cy')];
  const { guests } = await sees(adas, 'Bo', 'Cy');
  const dan = await waiting('Dan');
  adas.send({ type: 'admit', guests: guests.map((one) => one.id) });
  await comeIn(bo, 'Bo');
  await comeIn(cy, 'Cy');
  await vi.waitFor(() =>
    expect(
      adas
        .all('lobby')
        .at(-1)
        ?.guests.map(({ name }) => name),
    ).toEqual(['Dan']),
  );
  expect((await dan.settled()).all('let-in')).toEqual([]);
});

test('a host sends a text to a waiting guest, which stays after a reload', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  adas.send({ type: 'tell-waiting', guest: bo.guest, text: 'Two <b>minutes</b>' });
  await bo.until('waiting', ({ said }) => said === 'Two <b>minutes</b>');
  const back = await hello(url, bo.token, 'Bo');
  expect(await asked(back)).toMatchObject({ said: 'Two <b>minutes</b>' });
});

test('viewers and guests in the meeting cannot decide, and do not see the lobby', async () => {
  const viewer = await enter(url, await staffTokenOf(await newMember(app, ada, 'VIEWER'), id));
  const adas = await host();
  const cy = await waiting('Cy');
  await sees(adas, 'Cy');
  adas.send({ type: 'admit', guests: [cy.guest] });
  await comeIn(cy, 'Cy');
  const bo = await waiting('Bo');
  for (const page of [viewer, cy]) {
    page.send({ type: 'admit', guests: [bo.guest] });
    expect(await page.until('refused')).toMatchObject({ code: 'forbidden' });
    page.send({ type: 'refuse', guest: bo.guest });
    page.send({ type: 'tell-waiting', guest: bo.guest, text: 'No' });
    await page.settled();
    expect(page.all('lobby')).toEqual([]);
  }
  expect((await bo.settled()).all('let-in')).toEqual([]);
});

test('a host of another organization cannot decide', async () => {
  const bo = await waiting('Bo');
  const eve = await newOrganization(app);
  const room = await eve.call(createRoom, { body: { topic: 'Hers', lobby: true } });
  const eves = await enter(url, await staffTokenOf(eve, room.id));
  eves.send({ type: 'admit', guests: [bo.guest] });
  expect(await eves.until('refused')).toMatchObject({ code: 'not_waiting' });
  expect((await bo.settled()).all('let-in')).toEqual([]);
});

test('each step checks again: a renewed link, a lock and an archived room end the wait', async () => {
  const preview = await hello(url, await guestToken());
  const token = (await preview.until('waiting')).token;
  await ada.call(renewGuestLink, { params: { id } });
  preview.send({ type: 'join', name: 'Bo', media: bothOn });
  expect(await preview.closed).toBe(closeCodes.tokenRefused);
  expect(await (await hello(url, token, 'Bo')).closed).toBe(closeCodes.tokenRefused);

  const adas = await host();
  const cy = await waiting('Cy');
  await sees(adas, 'Cy');
  adas.send({ type: 'lock', locked: true });
  await adas.until('call-changed', ({ call }) => call.locked === true);
  adas.send({ type: 'admit', guests: [cy.guest] });
  expect(await cy.closed).toBe(closeCodes.locked);

  const other = await ada.call(createRoom, { body: { topic: 'Old', lobby: true } });
  const dan = await hello(url, await guestTokenOf(app, ada, other.id), 'Dan');
  const { token: dans } = await asked(dan);
  await ada.call(archiveRoom, { params: { id: other.id } });
  expect(await (await hello(url, dans, 'Dan')).closed).toBe(closeCodes.roomGone);
});

test('a link that is renewed between admission and joining keeps the guest out', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  await sees(adas, 'Bo');
  adas.send({ type: 'admit', guests: [bo.guest] });
  await bo.until('let-in');
  await ada.call(renewGuestLink, { params: { id } });
  greet(bo, bo.token, 'Bo');
  expect(await bo.closed).toBe(closeCodes.tokenRefused);
});

test('after ten minutes the guest is told that no host came, and a retry starts a new wait', async () => {
  const bo = await waiting('Bo');
  await app.owner.query(
    `update lobby_entries set waiting_since = now() - interval '601 seconds' where participant_id = $1`,
    [bo.guest],
  );
  const adas = await host();
  adas.send({ type: 'tell-waiting', guest: bo.guest, text: 'Coming' });
  expect(await bo.closed).toBe(closeCodes.waitedTooLong);
  await vi.waitFor(() => expect(adas.all('lobby').at(-1)?.guests).toEqual([]));
  const again = await asked(await hello(url, bo.token, 'Bo'));
  expect(Date.parse(again.since ?? '')).toBeGreaterThan(Date.parse(bo.since ?? ''));
});

test('a participant of the call returns without waiting, and a removed one cannot return', async () => {
  const adas = await host();
  const bo = await waiting('Bo');
  await sees(adas, 'Bo');
  adas.send({ type: 'admit', guests: [bo.guest] });
  const { token } = await comeIn(bo, 'Bo');
  await bo.drop();
  const back = await enter(url, token, { name: 'Bo' });
  adas.send({ type: 'remove', to: back.id });
  expect(await back.closed).toBe(closeCodes.removed);
  expect(await (await hello(url, bo.token, 'Bo')).closed).toBe(closeCodes.removed);
});

test('staff never wait, and with the lobby off a guest joins immediately', async () => {
  await host();
  await enter(url, await staffTokenOf(await newMember(app, ada, 'VIEWER'), id));
  const open = await ada.call(createRoom, { body: { topic: 'Open' } });
  expect(open.lobbySince).toBeNull();
  const bo = await enter(url, await guestTokenOf(app, ada, open.id), { name: 'Bo' });
  expect(bo.heard[0]?.type).toBe('welcome');
  const { rows } = await app.owner.query('select 1 from lobby_entries where room_id = $1', [
    open.id,
  ]);
  expect(rows).toEqual([]);
});

test('switching the lobby off admits waiting guests; switching it on holds the preview', async () => {
  const bo = await waiting('Bo');
  await ada.call(updateRoom, { params: { id }, body: { lobby: false } });
  await comeIn(bo, 'Bo');
  const preview = await hello(url, await guestToken());
  await preview.until('waiting', ({ mustAsk }) => !mustAsk);
  const on = await ada.call(updateRoom, { params: { id }, body: { lobby: true } });
  expect(on.lobbySince).toEqual(expect.any(String));
  await preview.until('waiting', ({ mustAsk, since }) => mustAsk && since === null);
  expect(bo.socket.readyState).toBe(bo.socket.OPEN);
});

test('host and guest may be on two processes that share bus and database', async () => {
  const other = await buildApp(app.services, { pagesDir: null, strictAnswers: true });
  const otherUrl = (await other.listen({ port: 0, host: '127.0.0.1' })).replace(/^http/, 'ws');
  try {
    const adas = await host();
    const token = await guestToken();
    const page = await hello(otherUrl, token, 'Bo');
    const bo = Object.assign(page, { token: (await asked(page)).token });
    expect(bo.all('waiting').at(-1)).toMatchObject({ hostIsHere: true });
    await sees(adas, 'Bo');
    adas.send({ type: 'tell-waiting', guest: idOf(token), text: 'Soon' });
    await bo.until('waiting', ({ said }) => said === 'Soon');
    adas.send({ type: 'admit', guests: [idOf(token)] });
    expect((await comeIn(bo, 'Bo')).participants.length).toBe(2);
    await adas.until('joined', ({ participant }) => participant.name === 'Bo');
  } finally {
    await other.close();
  }
});
