// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeFrame } from '#web/calls/call-frame.ts';
import { currentCall } from '#web/calls/kept-call.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { callRoom, keepCall, openMeeting } from '#web/testing/keep-call.ts';
import { shownToasts } from '#web/ui/toast-store.ts';

const renewed = { ...callRoom, meetingToken: 'second' };
let told: object[];
let say: ReturnType<typeof openMeeting>['say'];
let closed: number;
let newRoom: () => Promise<typeof callRoom | undefined>;

beforeEach(() => {
  fakeServer({});
  localStorage.clear();
  closed = 0;
  newRoom = vi.fn(() => Promise.resolve(renewed));
  ({ told, say } = openMeeting());
});
afterEach(() => {
  currentCall.getSnapshot().call?.close();
  closeFrame();
});

const keep = () => keepCall({ newRoom: () => newRoom(), onClosed: () => (closed += 1) });

const view = () => document.querySelector('iframe')?.dataset.view;

test('a call that is opened is the one of this tab, and ends the call before it', () => {
  const { call: first } = keep();
  expect(currentCall.getSnapshot().call).toBe(first);
  const { call: second } = keep();
  expect(currentCall.getSnapshot().call).toBe(second);
  expect(closed).toBe(1);
});

test('leaving the page before joining closes the call, with its frame, and says so once', () => {
  const { call, session } = keep();
  const end = vi.spyOn(session, 'close');
  call.goAway();
  expect(currentCall.getSnapshot().call).toBe(null);
  expect(document.querySelector('iframe')).toBe(null);
  call.close();
  expect(closed).toBe(1);
  expect(end).toHaveBeenCalledOnce();
});

test('a joined call continues on other pages as a small window, and returns in full', () => {
  const { call } = keep();
  expect(call.getSnapshot()).toMatchObject({ isJoined: false, isAway: false, isMinimised: false });
  say({ type: 'joined' });
  call.goAway();
  expect(call.getSnapshot()).toMatchObject({ isJoined: true, isAway: true, isMinimised: false });
  expect(view()).toBe('small');
  call.minimise(true);
  expect(call.getSnapshot().isMinimised).toBe(true);
  expect(view()).toBe('none');
  call.minimise(false);
  expect(view()).toBe('small');
  call.comeBack();
  expect(call.getSnapshot()).toMatchObject({ isAway: false, isMinimised: false });
  expect(view()).toBe('full');
  expect(told).toEqual(
    ['small', 'none', 'small', 'full'].map((shown) => ({ rapport: 1, type: 'view', view: shown })),
  );
  expect(closed).toBe(0);
});

test('a joined call that is over closes when its page is left', async () => {
  const { call, session } = keep();
  say({ type: 'joined' });
  await session.leave(false);
  call.goAway();
  expect(closed).toBe(1);
});

test('the number of guests that wait and the microphone are what the meeting says', () => {
  const { call } = keep();
  expect(call.getSnapshot()).toMatchObject({ waiting: 0, microphoneOn: null });
  say({ type: 'waiting', count: 2 });
  say({ type: 'microphone', on: true });
  expect(call.getSnapshot()).toMatchObject({ waiting: 2, microphoneOn: true });
  say({ type: 'microphone', on: false });
  expect(call.getSnapshot()).toMatchObject({ waiting: 2, microphoneOn: false });
});

test('a refusal of the server is shown, in its own words if this page has none for its code', () => {
  keep();
  say({ type: 'refused', code: 'no-such-code', message: 'Another host was first.' });
  expect(shownToasts()[0]?.title).toBe('Another host was first.');
});

test('media that arrives is told to the session', () => {
  const { session } = keep();
  say({ type: 'media', arrives: true });
  expect(session.mediaArrives).toBe(true);
  say({ type: 'media', arrives: false });
  expect(session.mediaArrives).toBe(false);
});

test('who leaves in the meeting leaves the call, without ending it for everyone', () => {
  const { session } = keep();
  const leave = vi.spyOn(session, 'leave');
  say({ type: 'left' });
  expect(leave).toHaveBeenCalledExactlyOnceWith(false);
  say({ type: 'left' });
  expect(leave, 'the call is over').toHaveBeenCalledOnce();
});

test('leaving on the page tells the meeting, and whether it ends for everyone', async () => {
  const { call, session } = keep();
  const leave = vi.spyOn(session, 'leave');
  await call.leave(true);
  expect(told).toEqual([{ rapport: 1, type: 'leave' }]);
  expect(leave).toHaveBeenCalledExactlyOnceWith(true);
});

test('the microphone is turned by the meeting', () => {
  const { call } = keep();
  call.turnMicrophone(false);
  expect(told).toEqual([{ rapport: 1, type: 'microphone', on: false }]);
});

test('a refused token is requested again once, and again only after a meeting was joined', async () => {
  const { call } = keep();
  say({ type: 'joined' });
  say({ type: 'failed', code: 'tokenRefused' });
  expect(call.getSnapshot().isJoined).toBe(false);
  await vi.waitFor(() => expect(call.getSnapshot().room.meetingToken).toBe('second'));
  say({ type: 'failed', code: 'tokenRefused' });
  expect(newRoom).toHaveBeenCalledOnce();
  say({ type: 'joined' });
  say({ type: 'failed', code: 'tokenRefused' });
  expect(newRoom).toHaveBeenCalledTimes(2);
});

test('another failure needs no other token', () => {
  keep();
  say({ type: 'failed', code: 'unreachable' });
  expect(newRoom).not.toHaveBeenCalled();
});

test('a token that arrives after the call was closed, and none, leave the room as it was', async () => {
  let answer = (_room?: typeof callRoom) => {};
  newRoom = () => new Promise((done) => (answer = done));
  const { call } = keep();
  say({ type: 'failed', code: 'tokenRefused' });
  call.close();
  answer(renewed);
  await Promise.resolve();
  expect(call.getSnapshot().room).toBe(callRoom);
});

test('the network of the browser reaches the session until the call is closed', () => {
  const { call, session } = keep();
  const network = vi.spyOn(session, 'networkIs');
  const flush = vi.spyOn(session.edits.notes, 'flush');
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  expect(network.mock.calls).toEqual([[false], [true]]);
  window.dispatchEvent(new Event('pagehide'));
  expect(flush).toHaveBeenCalledOnce();
  call.close();
  network.mockClear();
  window.dispatchEvent(new Event('online'));
  expect(network).not.toHaveBeenCalled();
});
