import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import type { Admitted } from './admit-participant.ts';
import { LiveSession } from './live-session.ts';
import { OpenSockets, readerOf, saidOf, say } from './open-sockets.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor, id: string) =>
  (await visitor.call(openRoom, { params: { id } })).meetingToken;

test('an account has fifty sockets, a colleague has others, and a closed one makes room', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { room } = await runningCall(ada);
  const panels = [];
  for (let n = 0; n < 50; n += 1) panels.push(await enterPanel(url, await tokenOf(ada, room.id)));
  const more = { token: await tokenOf(ada, room.id), channel: 'panel' as const };
  expect(await refusedHello(url, more)).toBe(closeCodes.flooding);
  await enterPanel(url, await tokenOf(bea, room.id));
  await panels[0]?.drop();
  await expect.poll(() => enterPanel(url, more.token).then(({ id }) => id)).toBeTruthy();
}, 30_000);

/** The parts of a `ws` socket that are used. */
function fakeSocket(bufferedAmount = 0) {
  const sent: unknown[] = [];
  const ended: string[] = [];
  const socket = {
    bufferedAmount,
    readyState: 1 as const,
    CLOSED: 3 as const,
    send: (data: unknown) => void sent.push(data),
    terminate: () => void ended.push('terminated'),
  };
  return { socket, sent, ended };
}

test('R9-1: the guests of one address in an organization have 200 sockets, in all its rooms', () => {
  const sockets = new OpenSockets({ RATE_LIMIT_SCALE: 1 });
  const take = (orgId: string, address: string) => {
    const admitted = { claims: { kind: 'guest', orgId } } as Admitted;
    const socket = Object.assign(new EventEmitter(), { readyState: 1, OPEN: 1, bufferedAmount: 0 });
    sockets.takePlace(socket as never, admitted, 'meeting', address);
    return socket;
  };
  const [first] = Array.from({ length: 200 }, () => take('org', '192.0.2.1'));
  expect(() => take('org', '192.0.2.1')).toThrow('too many connections');
  for (const [org, address] of [
    ['org', '192.0.2.2'],
    ['other', '192.0.2.1'],
  ] as const) {
    expect(() => take(org, address)).not.toThrow();
  }
  first?.emit('close');
  expect(() => take('org', '192.0.2.1')).not.toThrow();
});

test('a message is serialized once, and a long one uses the same bytes for every socket', () => {
  const message = { type: 'note' as const, callId: 'c', update: 'x'.repeat(100_000) };
  const [one, other] = [fakeSocket(), fakeSocket()];
  say(one.socket, 7, saidOf(message));
  say(other.socket, 8, saidOf(message));
  expect(one.sent[0]).toBe('{"sequence":7,');
  expect(other.sent[0]).toBe('{"sequence":8,');
  expect(one.sent[1]).toBeInstanceOf(Buffer);
  expect(other.sent[1]).toBe(one.sent[1]);
});

test('each session numbers the same message separately', () => {
  const session = new LiveSession('panel', 'org');
  const ended = { type: 'call-ended' as const, callId: 'c', endedAt: '' };
  session.send(ended);
  session.send(ended);
  expect(session.sequence).toBe(2);
  expect(session.canResume(0)).toBe(true);
});

test('R6-6: long answers to one page are not kept for it, and a page that missed one starts a new session', () => {
  const session = new LiveSession('panel', 'org');
  const note = (length: number) => ({
    type: 'note' as const,
    callId: 'c',
    update: 'x'.repeat(length),
    vector: 'AA==',
  });
  session.send(note(10_000));
  expect(session.canResume(0)).toBe(true);
  session.send(note(100_000));
  session.send({ type: 'call-ended', callId: 'c', endedAt: '' });
  expect([1, 2, 3].map((seen) => session.canResume(seen))).toEqual([false, true, true]);
});

test('R6-6: what a session keeps for a page that does not acknowledge it ends at 256 KB', () => {
  const session = new LiveSession('panel', 'org');
  const update = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 5; n += 1) session.send({ type: 'note', callId: 'c', update });
  expect([1, 2].map((seen) => session.canResume(seen))).toEqual([false, true]);
});

test('a socket with more than 8 MB unsent is closed instead of receiving the next message', () => {
  const message = { type: 'call-ended' as const, callId: 'c', endedAt: '' };
  const [slow, full] = [fakeSocket(8_000_000), fakeSocket(8_000_001)];
  say(slow.socket, 1, saidOf(message));
  say(full.socket, 1, saidOf(message));
  expect([slow.sent.length, slow.ended]).toEqual([1, []]);
  expect([full.sent.length, full.ended]).toEqual([0, ['terminated']]);
});

test('a socket that takes nothing for fifteen checks is late, one that takes a little is not', () => {
  const { socket } = fakeSocket(1000);
  const reader = readerOf(socket, 'org');
  const look = () => reader.waiting() > 0 && reader.isLate();
  for (let n = 0; n < 15; n += 1) expect(look()).toBe(false);
  socket.bufferedAmount -= 1;
  for (let n = 0; n < 16; n += 1) expect(look()).toBe(false);
  expect(look()).toBe(true);
});
