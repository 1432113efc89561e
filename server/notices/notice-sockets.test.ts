import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { logout } from '#domain/auth/contract.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { createRoom, updateRoom } from '#domain/rooms/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { buildApp } from '#server/app.ts';
import { NoticeClient } from '#server/testing/notice-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, signInAgain, Visitor } from '#server/testing/visitor.ts';
import { guestTokenOf, hello, storeWaitingGuest } from '#server/testing/waiting-guest.ts';
import { admitReader } from './admit-reader.ts';
import { LiveNotices } from './live-notices.ts';
import { NoticePage } from './notice-page.ts';

const connectAgain = 1012;

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

const open = (visitor: Visitor, at = url) => NoticeClient.open(at, visitor);
const refused = ({ cookie }: Visitor) => new NoticeClient(url, { cookie }).closed;

test('without a session, or without an organization, a socket is closed for good', async () => {
  expect(await refused(new Visitor(app))).toBe(closeCodes.tokenRefused);
  await app.owner.query('delete from memberships where account_id = $1', [ben.user.id]);
  await signInAgain(ben);
  expect(await refused(ben)).toBe(closeCodes.removed);
});

test('a page of another site is refused', async () => {
  const { cookie } = ada;
  const page = new NoticeClient(url, { cookie, origin: 'https://evil.example' });
  expect(await page.closed).toBe(0);
});

test('signing out closes the sockets of this session on every process, and no other', async () => {
  const other = await buildApp(app.services, { pagesDir: null, strictAnswers: true });
  const second = (await other.listen({ port: 0, host: '127.0.0.1' })).replace(/^http/, 'ws');
  try {
    const [his, elsewhere, hers] = [await open(ben), await open(ben, second), await open(ada)];
    await ben.call(logout);
    expect(await his.closed).toBe(connectAgain);
    expect(await elsewhere.closed).toBe(connectAgain);
    expect(await refused(ben)).toBe(closeCodes.tokenRefused);
    await hers.settled();
  } finally {
    await other.close();
  }
});

test('a removed member is let go, and may not come back', async () => {
  const his = await open(ben);
  await ada.call(removeUser, { params: { id: ben.user.id } });
  expect(await his.closed).toBe(connectAgain);
  expect(await refused(ben)).toBe(closeCodes.tokenRefused);
});

test('a demoted member is let go, and no longer called to the door after that', async () => {
  const { id } = await ben.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const guest = await hello(url, await guestTokenOf(app, ada, id), 'Samuel');
  await guest.until('waiting', ({ since }) => since !== null);
  const his = await open(ben);
  expect(his.guestsOf(id)).toEqual(['Samuel']);
  await ada.call(changeRole, { params: { userId: ben.user.id }, body: { role: 'VIEWER' } });
  expect(await his.closed).toBe(connectAgain);
  const again = await open(ben);
  expect(again.room(id)).toMatchObject({ waiting: 1 });
  expect(again.guestsOf(id)).toBe(undefined);
});

test('a socket whose session has expired is let go at the next look', async () => {
  const notices = new LiveNotices(app.services);
  const reader = await admitReader(app.services, ben.cookie.split('=')[1]);
  const close = vi.fn();
  const socket = Object.assign(new EventEmitter(), { bufferedAmount: 0, send: vi.fn(), close });
  notices.add(new NoticePage(socket as never, reader));
  await notices.look();
  expect(close).not.toHaveBeenCalled();
  await app.owner.query('update sessions set expires_at = now() where account_id = $1', [
    ben.user.id,
  ]);
  await notices.look();
  expect(close).toHaveBeenCalledWith(connectAgain, expect.anything());
  notices.close();
  expect(await refused(ben)).toBe(closeCodes.tokenRefused);
});

test('an account has fifty sockets, with those of its calls', async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, () => open(ben)));
  expect(await refused(ben)).toBe(closeCodes.flooding);
  await (await open(ada)).settled();
  await sockets[0]?.close();
  await (await open(ben)).settled();
});

test('a socket that sends anything but a ping, or a message without end, is closed', async () => {
  const [talks, sends] = [await open(ada), await open(ada)];
  talks.socket.send('{"type":"hello"}');
  expect(await talks.closed).toBe(closeCodes.badMessage);
  sends.socket.send('x'.repeat(300), { fin: false });
  expect(await sends.closed).toBe(1006);
});

test('a socket that pings far more often than a page does is cut off', async () => {
  const page = await open(ada);
  for (let n = 0; n < 200; n += 1) page.socket.send('{"type":"ping"}');
  expect(await page.closed).toBe(1006);
});

test('any number of changes cause few queries', async () => {
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  const hers = await open(ada);
  const { counts } = app.services.database;
  const before = counts.statements;
  for (let n = 0; n < 300; n += 1) {
    app.services.bus.publish(`calls:${ada.user.orgId}`, {});
  }
  const guest = await hello(url, await guestTokenOf(app, ada, id), 'Samuel');
  await guest.until('waiting', ({ since }) => since !== null);
  await hers.until(() => hers.room(id)?.waiting === 1);
  expect(counts.statements - before).toBeLessThan(40);
});

const browsers = 500;

/** The notices of a process with so many browsers, and limits multiplied by `scale`. */
async function crowd(scale: number) {
  const services = { ...app.services, config: { ...app.services.config, RATE_LIMIT_SCALE: scale } };
  const notices = new LiveNotices(services);
  const reader = await admitReader(services, ada.cookie.split('=')[1]);
  const send = vi.fn<(text: string) => void>();
  for (let n = 0; n < browsers; n += 1) {
    const socket = Object.assign(new EventEmitter(), { bufferedAmount: 0, send, close: vi.fn() });
    notices.add(new NoticePage(socket as never, reader));
  }
  await expect.poll(() => send.mock.calls.length).toBe(browsers);
  const toldOf = (topic: string) => send.mock.calls.filter(([text]) => text.includes(topic)).length;
  return { send, toldOf, close: () => notices.close() };
}

test('R14-1: changes are told to many browsers at a bounded rate, and the last one to all', async () => {
  const { id } = await ada.call(createRoom, { body: { topic: 'Review', lobby: true } });
  await storeWaitingGuest(app, ada.user.orgId, id);
  // A burst of 500, which the greeting uses, and 250 a second.
  const [unbounded, bounded] = [await crowd(1000), await crowd(1 / 8)];
  for (let n = 1; n <= 6; n += 1) {
    await ada.call(updateRoom, { params: { id }, body: { topic: `Review ${n}` } });
    app.services.bus.publish(`calls:${ada.user.orgId}`, {});
    await expect.poll(() => unbounded.toldOf(`Review ${n}`)).toBe(browsers);
  }
  await expect.poll(() => bounded.toldOf('Review 6'), { timeout: 10_000 }).toBe(browsers);
  expect(bounded.send.mock.calls.length).toBeLessThanOrEqual(4 * browsers);
  unbounded.close();
  bounded.close();
});

test('R14-1: rooms that change together are told in one message', async () => {
  const page = await open(ada);
  const rooms = await Promise.all(
    Array.from({ length: 20 }, () =>
      ada.call(createRoom, { body: { topic: 'Review', lobby: true } }),
    ),
  );
  await page.settled();
  const before = page.heard.length;
  for (const { id } of rooms) await storeWaitingGuest(app, ada.user.orgId, id);
  app.services.bus.publish(`calls:${ada.user.orgId}`, {});
  await page.until(() => rooms.every(({ id }) => page.guestsOf(id)?.length === 1));
  expect(page.heard.slice(before).map(({ type }) => type)).toEqual(['changed']);
});
