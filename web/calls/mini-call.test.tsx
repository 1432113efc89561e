// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#domain/auth/contract.ts';
import type { Welcome } from '#domain/calls/live.ts';
import { CallElsewhere } from '#web/calls/call-elsewhere.tsx';
import { closeFrame } from '#web/calls/call-frame.ts';
import { currentCall } from '#web/calls/kept-call.ts';
import MiniCall from '#web/calls/mini-call.tsx';
import { greet } from '#web/live/fake-web-socket.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { callRoom, keepCall, openMeeting } from '#web/testing/keep-call.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

let told: object[];
let say: ReturnType<typeof openMeeting>['say'];
beforeEach(() => {
  fakeServer({});
  localStorage.clear();
  ({ told, say } = openMeeting());
});
afterEach(() => {
  currentCall.getSnapshot().call?.close();
  closeFrame();
});

const running = { id: someId(50), startedAt: new Date().toISOString(), joined: true };
const guest = {
  ...{ id: 'bo', kind: 'guest' as const, name: 'Bo', avatar: null },
  ...{ media: { audio: true, video: true }, inMeeting: true, connected: true },
};

/** The small window of a call that this person has joined, while another page is shown. */
function showMini({ user = ada, welcome = {} }: { user?: User; welcome?: Partial<Welcome> } = {}) {
  const kept = keepCall({});
  kept.webSocket.opens();
  kept.webSocket.says(greet({ call: running, ...welcome }));
  say({ type: 'joined' });
  kept.call.goAway();
  told.length = 0;
  return { ...kept, ...show(<MiniCall call={kept.call} />, { user }) };
}

const button = (name: string) => screen.getByRole('button', { name });
const region = () => screen.queryByRole('region', { name: `Call: ${callRoom.topic}` });

test('there is a small window only while another page is shown', () => {
  const { call } = showMini();
  expect(region()).not.toBe(null);
  expect(screen.getByRole('link', { name: 'Back to the call' }).getAttribute('href')).toBe(
    `/app/rooms/${callRoom.id}/call`,
  );
  act(() => call.comeBack());
  expect(region()).toBe(null);
});

test('its video is hidden and shown again', async () => {
  const { by, call } = showMini();
  await by.click(button('Hide video'));
  expect(call.getSnapshot().isMinimised).toBe(true);
  await by.click(button('Show video'));
  expect(call.getSnapshot().isMinimised).toBe(false);
});

test('it moves to the next corner, or with the arrow keys, and remembers the corner', async () => {
  const { by, unmount, call } = showMini();
  const corner = () => region()?.dataset.corner;
  expect(corner()).toBe('bottom-right');
  button('Move the call to another corner (arrow keys work too)').focus();
  await by.keyboard('{ArrowUp}');
  expect(corner()).toBe('top-right');
  await by.keyboard('x');
  expect(corner()).toBe('top-right');
  await by.keyboard('{ArrowLeft}');
  expect(corner()).toBe('top-left');
  unmount();
  const { by: again } = show(<MiniCall call={call} />);
  expect(corner()).toBe('top-left');
  await again.click(button('Move the call to another corner (arrow keys work too)'));
  expect(corner()).not.toBe('top-left');
});

test('it turns the microphone once the meeting has told its state', async () => {
  const { by } = showMini();
  expect(screen.queryByRole('button', { name: /mute/i })).toBe(null);
  act(() => say({ type: 'microphone', on: true }));
  await by.click(button('Mute microphone'));
  act(() => say({ type: 'microphone', on: false }));
  await by.click(button('Unmute microphone'));
  expect(told).toEqual([false, true].map((on) => ({ rapport: 1, type: 'microphone', on })));
});

test('it says how many guests wait, and that the call was interrupted', () => {
  showMini();
  expect(screen.queryByRole('status')).toBe(null);
  act(() => say({ type: 'waiting', count: 2 }));
  expect(screen.getByText('2 guests are waiting in the lobby.')).toBeTruthy();
  act(() => say({ type: 'waiting', count: 0 }));
  act(() => say({ type: 'failed', code: 'unreachable' }));
  expect(screen.getByRole('status').textContent).toContain('The call was interrupted.');
});

test('alone, one button leaves the call', async () => {
  const { by, session } = showMini();
  const leave = vi.spyOn(session, 'leave');
  await by.click(button('Leave Call'));
  expect(leave).toHaveBeenCalledExactlyOnceWith(false);
});

test.each([
  ['Leave', false],
  ['End for everyone', true],
] as const)('with a guest inside it asks first: %s', async (choice, forEveryone) => {
  const { by, session } = showMini({ welcome: { participants: [guest] } });
  const leave = vi.spyOn(session, 'leave');
  await by.click(button('Leave Call'));
  expect(leave).not.toHaveBeenCalled();
  await by.click(await screen.findByRole('menuitem', { name: new RegExp(`^${choice}`) }));
  expect(leave).toHaveBeenCalledExactlyOnceWith(forEveryone);
});

test('a person who may not end calls leaves, also with a guest inside', async () => {
  const viewer = { ...ada, role: 'VIEWER' as const };
  const { by, session } = showMini({ user: viewer, welcome: { participants: [guest] } });
  const leave = vi.spyOn(session, 'leave');
  await by.click(button('Leave Call'));
  expect(leave).toHaveBeenCalledExactlyOnceWith(false);
});

test('a call that ends while another page is shown says so, and asks for its score', async () => {
  const { by, webSocket } = showMini();
  const endedAt = new Date().toISOString();
  act(() => webSocket.says({ type: 'call-ended', sequence: 1, callId: running.id, endedAt }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(screen.getAllByText('The call has ended').length).toBeGreaterThan(0);
  await by.click(screen.getByText('Skip'));
  expect(currentCall.getSnapshot().call).toBe(null);
});

test('who may not rate is asked nothing, and the call closes', async () => {
  const { session } = showMini({ user: { ...ada, role: 'VIEWER' as const } });
  await act(() => session.leave(false));
  expect(screen.queryByRole('dialog')).toBe(null);
  expect(currentCall.getSnapshot().call).toBe(null);
});

test('the page of another room leads back to the call, or leaves it', async () => {
  const { call, session } = keepCall({});
  const leave = vi.spyOn(session, 'leave');
  const { by } = show(<CallElsewhere call={call} topic="Weekly" />);
  expect(screen.getByText(/“Weekly”/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to the call' }).getAttribute('href')).toBe(
    `/app/rooms/${callRoom.id}/call`,
  );
  await by.click(button('Leave and open this room'));
  expect(leave).toHaveBeenCalledExactlyOnceWith(false);
  expect(currentCall.getSnapshot().call).toBe(null);
});
