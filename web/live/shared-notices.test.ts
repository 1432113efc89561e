// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RoomNow } from '#domain/notices/live.ts';
import { FakeChannel, FakeNoticeSocket, fakeLocks } from './fake-tabs.ts';
import { SharedNotices, waitOf } from './shared-notices.ts';

const samuel = { id: 'g1', name: 'Samuel', since: '2026-01-01T10:00:00.000Z' };
const room = (changed: Partial<RoomNow> = {}): RoomNow => ({
  roomId: 'r1',
  topic: 'Review',
  call: null,
  waiting: 1,
  guests: [samuel],
  ...changed,
});

let sockets: FakeNoticeSocket[];
let tabs: SharedNotices[];
let locks: ReturnType<typeof fakeLocks> | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  sockets = [];
  tabs = [];
  locks = fakeLocks();
});
afterEach(() => {
  for (const tab of tabs) tab.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function openTab(name = 'acme ada'): Promise<SharedNotices> {
  const openWebSocket = () => {
    const socket = new FakeNoticeSocket();
    sockets.push(socket);
    return socket;
  };
  const tab = new SharedNotices({ name, openWebSocket, locks });
  tabs.push(tab);
  await vi.advanceTimersByTimeAsync(0);
  return tab;
}
const last = () => sockets.at(-1) ?? expect.fail('no socket was opened');
const topics = (tab: SharedNotices) => tab.getSnapshot().rooms.map(({ topic }) => topic);

test('one tab holds the connection, and the others hear what it hears', async () => {
  const [first, second] = [await openTab(), await openTab()];
  expect(sockets).toHaveLength(1);
  last().says({ type: 'rooms', rooms: [room()] });
  last().says({ type: 'room', room: room({ roomId: 'r2', topic: 'Kick-off' }) });
  expect([topics(first), topics(second)]).toEqual([
    ['Review', 'Kick-off'],
    ['Review', 'Kick-off'],
  ]);
  last().says({
    type: 'changed',
    rooms: [room({ waiting: 0, guests: [] }), room({ roomId: 'r3', topic: 'Demo' })],
  });
  expect(topics(second)).toEqual(['Kick-off', 'Demo']);
  last().says({ type: 'room', room: room({ roomId: 'r3', waiting: 0, guests: [] }) });
  expect(topics(second)).toEqual(['Kick-off']);
  expect(topics(await openTab())).toEqual(['Kick-off']);
});

test('when the tab with the connection closes, the next one opens its own', async () => {
  const [first, second] = [await openTab(), await openTab()];
  last().says({ type: 'rooms', rooms: [room()] });
  first.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  last().says({ type: 'rooms', rooms: [] });
  expect(topics(second)).toEqual([]);
});

test('a visible tab takes over from a suspended one, which asks again later', async () => {
  await openTab();
  for (const channel of FakeChannel.open) channel.isSuspended = true;
  await openTab();
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_600);
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  for (const channel of FakeChannel.open) channel.isSuspended = false;
  tabs[1]?.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets).toHaveLength(3);
});

test('what was put off is put off in all tabs, also in one that is opened later', async () => {
  const [first, second] = [await openTab(), await openTab()];
  last().says({ type: 'rooms', rooms: [room()] });
  second.putOff([waitOf(samuel)]);
  const putOff = (tab: SharedNotices) => tab.getSnapshot().putOff;
  expect([putOff(first), putOff(second), putOff(await openTab())]).toEqual(
    Array.from({ length: 3 }, () => [waitOf(samuel)]),
  );
});

test('another person in the same browser has another connection, and hears nothing of the first', async () => {
  await openTab();
  last().says({ type: 'rooms', rooms: [room()] });
  locks = fakeLocks();
  const other = await openTab('acme bo');
  expect([sockets.length, topics(other)]).toEqual([2, []]);
});

test('without Web Locks, each tab has a connection of its own', async () => {
  vi.stubGlobal('navigator', {});
  locks = undefined;
  await openTab();
  await openTab();
  expect(sockets).toHaveLength(2);
});

test('an idle connection sends one message in 25 seconds, and is replaced when none is answered', async () => {
  await openTab();
  const socket = last();
  socket.says({ type: 'rooms', rooms: [] });
  await vi.advanceTimersByTimeAsync(24_000);
  expect(socket.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(socket.sent).toEqual(['{"type":"ping"}']);
  socket.says({ type: 'pong' });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(socket.sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_300);
  expect([socket.isClosed, sockets.length]).toEqual([true, 2]);
});

test('what a lost connection told is forgotten after half a minute, not before it is back', async () => {
  const tab = await openTab();
  last().says({ type: 'rooms', rooms: [room()] });
  last().closes(1006);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(topics(tab)).toEqual(['Review']);
  expect(sockets.length).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(26_000);
  expect(topics(tab)).toEqual([]);
  // It may be waiting for its next attempt, for a random time.
  while (last().isClosed) await vi.advanceTimersByTimeAsync(100);
  last().says({ type: 'rooms', rooms: [room()] });
  expect(topics(tab)).toEqual(['Review']);
});

test('a connection that the server refuses for good is not opened again', async () => {
  await openTab();
  last().closes(4401);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
});
