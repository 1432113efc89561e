// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { openedRoom } from '#domain/rooms/contract.ts';
import { CallSession } from '#web/calls/call-session.ts';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { FakeWebSocket, greet } from '#web/live/fake-web-socket.ts';
import { learnTime } from '#web/platform/clock.ts';
import { type Asked, fakeServer, refusal } from '#web/testing/fake-server.ts';
import { someId } from '#web/testing/show.tsx';

const callId = someId(50);
const item = someId(60);
const room: OpenedRoom = openedRoom.parse({
  id: someId(40),
  topic: 'Review',
  status: 'active',
  createdAt: '2026-03-04T09:00:00Z',
  createdBy: null,
  archivedAt: null,
  archivedBy: null,
  lobbySince: null,
  playbookId: null,
  playbook: null,
  calls: [],
  callCount: 0,
  dailyUrl: 'https://x/meet/r',
  meetingToken: 'first',
});
const running = { id: callId, startedAt: '2026-03-04T10:00:00Z', joined: true };
const stored = {
  ...running,
  roomId: room.id,
  endedAt: null,
  checklistItems: [{ id: item, text: 'One', order: 0 }],
  checklistStateJson: {},
  notesSnapshot: null,
};

let webSockets: FakeWebSocket[];
let failures: string[];
let sessions: CallSession[];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T10:01:05Z') });
  localStorage.clear();
  webSockets = [];
  failures = [];
  sessions = [];
});
afterEach(() => {
  for (const session of sessions) session.close();
  learnTime(new Date().toISOString());
  vi.useRealTimers();
});

function open({ mayEdit = true } = {}) {
  let ids = 0;
  const session = new CallSession({
    room,
    mayEdit,
    unsaved: new UnsavedEditsStore(localStorage, 'ada'),
    openWebSocket: () => {
      const webSocket = new FakeWebSocket();
      webSocket.answersPings = true;
      webSockets.push(webSocket);
      return webSocket;
    },
    newId: () => {
      ids += 1;
      return `${ids}`;
    },
    onFailure: (what) => failures.push(what),
  });
  sessions.push(session);
  session.open();
  return session;
}

const line = () => webSockets.at(-1) ?? new FakeWebSocket();
const sent = <T extends ToServer['type']>(type: T) =>
  line().sent.filter((message) => message.type === type);
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const welcome = (changed = {}) => {
  line().opens();
  line().says(greet({ mayEdit: true, call: running, ...changed }));
};

test('the socket sends hello on the panel channel, with the meeting token', () => {
  fakeServer({});
  open();
  line().opens();
  expect(line().sent[0]).toMatchObject({ type: 'hello', channel: 'panel', token: 'first' });
});

test('opening the page creates the call with its start, or joins the one that runs', async () => {
  const asked = fakeServer({ 'POST /api/calls': stored });
  const session = open();
  await settle();
  expect(asked[0]).toMatchObject({
    method: 'POST',
    body: { roomId: room.id, startedAt: '2026-03-04T10:01:05.000Z' },
  });
  expect(session.getSnapshot()).toMatchObject({
    phase: 'running',
    call: { ...running, joined: null },
  });
});

describe('a call that no one has joined', () => {
  const opened = { ...running, joined: false };

  test('starts with the first person, and is left without an end', async () => {
    const asked = fakeServer({ 'POST /api/calls': stored, [`PUT /api/calls/${callId}`]: stored });
    const session = open();
    await settle();
    welcome({ call: opened });
    expect(session.getSnapshot().call).toEqual(opened);
    await session.leave(false);
    expect(sent('leave')).toHaveLength(1);
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('takes the start of the first person, and stays joined', async () => {
    fakeServer({ 'POST /api/calls': stored });
    const session = open();
    await settle();
    welcome({ call: opened });
    const joined = { ...running, startedAt: '2026-03-04T10:09:00Z', joined: true };
    line().says({ type: 'call-changed', sequence: 1, call: joined });
    line().says({ type: 'call-changed', sequence: 2, call: { ...opened, locked: true } });
    expect(session.getSnapshot().call).toEqual(joined);
  });

  test.each(['a welcome without a call', 'the end of the call'])(
    'is created again if %s shows that it was removed, and keeps what was entered',
    async (what) => {
      const next = { ...stored, id: someId(51) };
      const answers = [stored, next];
      const asked = fakeServer({
        'POST /api/calls': () => answers.shift(),
        [`GET /api/calls/${callId}`]: refusal(404, { code: 'not_found' }),
        [`PUT /api/calls/${next.id}`]: next,
      });
      const session = open();
      await settle();
      welcome({ call: opened });
      line().says({ type: 'note', sequence: 1, callId, update: 'AAA=', vector: 'AA==' });
      line().closes(1006);
      session.edits.notes.edit({ start: 0, removed: 0, inserted: 'Wants a quote' });
      await settle(5000);
      if (what === 'the end of the call') {
        welcome({ call: opened });
        line().says({ type: 'call-ended', sequence: 1, callId, endedAt: '2026-03-04T10:02:00Z' });
      } else welcome({ call: null });
      await settle();
      expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
      expect(session.getSnapshot()).toMatchObject({ phase: 'running', call: { id: next.id } });
      line().says({ type: 'call-started', sequence: 2, call: { ...opened, id: next.id } });
      line().says({ type: 'note', sequence: 3, callId: next.id, update: 'AAA=', vector: 'AA==' });
      expect(session.edits.notes.text).toBe('Wants a quote');
      expect(sent('note')).not.toEqual([]);
    },
  );
});

test('guests stay in the call when the last of the staff leaves, unless it ends for everyone', async () => {
  const asked = fakeServer({ 'POST /api/calls': stored, [`PUT /api/calls/${callId}`]: stored });
  const guest = { id: 'bo', kind: 'guest' as const, name: 'Bo', avatar: null };
  const there = { ...guest, media: { audio: true, video: true }, inMeeting: true, connected: true };
  for (const forEveryone of [false, true]) {
    const session = open();
    await settle();
    welcome({ participants: [there] });
    await session.leave(forEveryone);
    expect(sent('leave')).toHaveLength(forEveryone ? 0 : 1);
  }
  const ends = asked.filter(({ method }) => method === 'PUT');
  expect(ends.map(({ body }) => body)).toMatchObject([{ endForEveryone: true }]);
});

test('a tick goes over the socket, and by request only if the socket does not accept it', async () => {
  const asked = fakeServer({
    'POST /api/calls': stored,
    [`PUT /api/calls/${callId}`]: stored,
  });
  const session = open();
  await settle();
  welcome();
  session.edits.check(item, true);
  expect(sent('check')).toMatchObject([{ itemId: item, checked: true }]);
  await settle(3000);
  expect(asked.filter(({ method }) => method === 'PUT')).toEqual([]);

  line().closes(1006);
  await settle(1000);
  const put = asked.find(({ method }) => method === 'PUT');
  expect(put?.body).toEqual({ checklistChanges: { [item]: true } });
  expect(session.edits.checklist.hasUnsaved).toBe(false);
});

test('edits made before the call exists are sent once it does', async () => {
  let started = (_call: object) => {};
  fakeServer({ 'POST /api/calls': () => new Promise<object>((done) => (started = done)) });
  const session = open();
  welcome({ call: null });
  session.edits.check(item, true);
  session.edits.notes.edit({ start: 0, removed: 0, inserted: 'Early' });
  await settle(500);
  expect(sent('check'), 'the server would refuse it').toEqual([]);
  started(stored);
  await settle();
  line().says({ type: 'call-started', sequence: 1, call: running });
  expect(sent('check').length).toBe(1);
  expect(sent('notes-since').length).toBe(1);
  expect(Object.keys(localStorage).join()).toContain(`call:${callId}`);
});

test('edits made before the call exists survive a reload', async () => {
  fakeServer({ 'POST /api/calls': () => new Promise<object>(() => {}) });
  const before = open();
  before.edits.check(item, true);
  before.close();
  fakeServer({ 'POST /api/calls': stored });
  const after = open();
  await settle();
  welcome();
  expect(after.edits.checklist.isChecked(item)).toBe(true);
  expect(sent('check').length).toBe(1);
});

test('leaving saves the notes, then ends the call with its length', async () => {
  const asked = fakeServer({
    'POST /api/calls': stored,
    [`PUT /api/calls/${callId}`]: stored,
  });
  const session = open();
  await settle();
  session.edits.notes.edit({ start: 0, removed: 0, inserted: 'Bye' });
  const left = session.leave(false);
  expect(session.getSnapshot()).toMatchObject({ phase: 'over', ending: 'left' });
  await settle();
  await left;
  const puts = asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(puts).toEqual([
    { notesSnapshot: 'Bye', notesUpdate: expect.any(String) },
    { endedAt: '2026-03-04T10:01:05.000Z', durationSec: 65 },
  ]);
});

describe('a device whose clock is hours off', () => {
  const hours = 3_600_000;
  /** Answers with the time of its own clock, and refuses later times. */
  function serverAt(offsetMs: () => number) {
    const answerWith =
      (path: 'startedAt' | 'endedAt') =>
      ({ body }: Asked) => {
        const now = Date.now() + offsetMs();
        const time = String(Object(body)[path]);
        const isRefused = Date.parse(time) > now + 60_000;
        const answer = isRefused
          ? refusal(400, { errors: [{ path, message: 'This time is in the future.' }] })
          : Response.json({ ...stored, [path]: time });
        answer.headers.set('date', new Date(now).toUTCString());
        answer.headers.set('cache-control', 'no-store');
        return answer;
      };
    return fakeServer({
      'POST /api/calls': answerWith('startedAt'),
      [`PUT /api/calls/${callId}`]: answerWith('endedAt'),
    });
  }
  const timesIn = (asked: Asked[]) =>
    asked.map(({ body }) => Object(body).startedAt ?? Object(body).endedAt);

  test.each([
    ['ahead', -3 * hours, '2026-03-04T07:01:05.000Z', '2026-03-04T07:02:05.000Z'],
    ['behind', 3 * hours, '2026-03-04T13:01:05.000Z', '2026-03-04T13:02:05.000Z'],
  ])(
    '%s starts and ends a call by the clock that came with the page',
    async (_, offset, start, end) => {
      const asked = serverAt(() => offset);
      learnTime(new Date(Date.now() + offset).toISOString());
      const session = open();
      await settle(60_000);
      await session.leave(false);
      expect(timesIn(asked)).toEqual([start, end]);
      expect(asked.at(-1)?.body).toMatchObject({ durationSec: 60 });
      expect(failures).toEqual([]);
    },
  );

  test('a refused start is sent again with the corrected time', async () => {
    const asked = serverAt(() => -3 * hours);
    const session = open();
    await settle();
    expect(timesIn(asked)).toEqual(['2026-03-04T10:01:05.000Z', '2026-03-04T07:01:05.000Z']);
    expect(session.getSnapshot()).toMatchObject({ phase: 'running', startFailure: null });
    expect(failures).toEqual([]);
  });

  test('a clock that jumps during the call does not prevent its end', async () => {
    let offset = 0;
    const asked = serverAt(() => offset);
    const session = open();
    await settle();
    offset = -3 * hours;
    vi.setSystemTime(Date.now() + 3 * hours);
    await session.leave(false);
    expect(timesIn(asked).slice(1)).toEqual([
      '2026-03-04T13:01:05.000Z',
      '2026-03-04T10:01:05.000Z',
    ]);
    expect(failures).toEqual([]);
  });

  test('the end is not before the start, even if the page learns the right time in between', async () => {
    const asked = serverAt(() => 0);
    const session = open();
    await settle();
    learnTime(new Date(Date.now() - 30_000).toISOString());
    await session.leave(false);
    expect(asked.at(-1)?.body).toEqual({ endedAt: '2026-03-04T10:01:05.000Z', durationSec: 0 });
  });

  test('a refused time is sent twice, not forever', async () => {
    const problem = { errors: [{ path: 'startedAt', message: 'This start is in the future.' }] };
    const asked = fakeServer({ 'POST /api/calls': () => refusal(400, problem) });
    open();
    await settle(10_000);
    expect(asked).toHaveLength(2);
    expect(failures).toEqual(['start']);
  });
});

test('ending for everyone sends endForEveryone', async () => {
  const asked = fakeServer({ 'POST /api/calls': stored, [`PUT /api/calls/${callId}`]: stored });
  const session = open();
  await settle();
  await session.leave(true);
  expect(asked.at(-1)?.body).toMatchObject({ endForEveryone: true });
});

test('a call that others ended is over here, too', async () => {
  fakeServer({ 'POST /api/calls': stored });
  const session = open();
  await settle();
  welcome();
  line().says({ type: 'call-ended', sequence: 1, callId, endedAt: '2026-03-04T10:02:00Z' });
  expect(session.getSnapshot()).toMatchObject({ phase: 'over', ending: 'ended' });
});

test('a reconnect without a call asks whether the call is over', async () => {
  fakeServer({
    'POST /api/calls': stored,
    [`GET /api/calls/${callId}`]: { ...stored, endedAt: '2026-03-04T10:02:00Z' },
  });
  const session = open();
  await settle();
  welcome({ call: null });
  await settle();
  expect(session.getSnapshot().phase).toBe('over');
});

test('a welcome that is older than the call does not end it', async () => {
  fakeServer({ 'POST /api/calls': stored, [`GET /api/calls/${callId}`]: stored });
  const session = open();
  await settle();
  welcome({ call: null });
  await settle();
  expect(session.getSnapshot().phase).toBe('running');
});

test('a viewer does not start a call, waits for one, and reads along', async () => {
  const asked = fakeServer({ [`GET /api/calls/${callId}`]: stored });
  const session = open({ mayEdit: false });
  welcome({ call: null, mayEdit: false });
  await settle();
  expect(session.getSnapshot().phase).toBe('waiting');
  line().says({ type: 'call-started', sequence: 1, call: running });
  await settle();
  expect(session.getSnapshot()).toMatchObject({ phase: 'running', items: stored.checklistItems });
  await session.leave(false);
  expect(asked.every(({ method }) => method === 'GET')).toBe(true);
});

test('an expired token is exchanged for a fresh one', async () => {
  fakeServer({
    'POST /api/calls': stored,
    [`GET /api/rooms/${room.id}`]: { ...room, meetingToken: 'second' },
  });
  open();
  line().opens();
  line().closes(closeCodes.tokenRefused);
  await settle();
  line().opens();
  expect(line().sent[0]).toMatchObject({ type: 'hello', token: 'second' });
});

test('a refused start is shown, and waits for the person to retry', async () => {
  const asked = fakeServer({
    'POST /api/calls': () => refusal(402, { message: 'Upgrade to go on.' }),
  });
  const session = open();
  await settle(10_000);
  expect(failures).toEqual(['start']);
  expect(session.getSnapshot().startFailure).toMatchObject({ message: 'Upgrade to go on.' });
  expect(asked.length).toBe(1);
  session.start();
  await settle();
  expect(asked.length).toBe(2);
});

test('a start that fails on the network is shown, retried, and no longer shown once it succeeds', async () => {
  let isDown = true;
  const asked = fakeServer({ 'POST /api/calls': () => (isDown ? refusal(503) : stored) });
  const session = open();
  await settle(3500);
  expect(asked.length).toBe(2);
  expect(failures, 'one toast for all attempts').toEqual(['start']);
  expect(session.getSnapshot().startFailure).toMatchObject({ status: 503 });
  isDown = false;
  await settle(3500);
  expect(session.getSnapshot()).toMatchObject({ startFailure: null, phase: 'running' });
});

test('edits of a call that ended without this page are sent to that call', async () => {
  const old = someId(51);
  const store = new UnsavedEditsStore(localStorage, 'ada');
  store.keep(`call:${old}`, 'notes', 'AAA=');
  store.keep(`call:${callId}`, 'checks', { [item]: true });
  const asked = fakeServer({ 'POST /api/calls': stored, [`PUT /api/calls/${old}`]: stored });
  open();
  await settle();
  expect(asked).toContainEqual({
    method: 'PUT',
    path: `/api/calls/${old}`,
    body: { notesUpdate: 'AAA=' },
  });
  expect(store.callIds()).toEqual([callId]);
});
