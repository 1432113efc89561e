import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import type { ToBrowser } from '#domain/calls/live.ts';
import { backoffMs } from './backoff.ts';
import { FakeWebSocket, greet } from './fake-web-socket.ts';
import { LiveSocket } from './live-socket.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(isCalm?: () => boolean) {
  const webSockets: FakeWebSocket[] = [];
  const heard: ToBrowser[] = [];
  const states: string[] = [];
  const refused: number[] = [];
  const socket = new LiveSocket({
    token: 'first',
    openWebSocket: () => {
      const webSocket = new FakeWebSocket();
      webSockets.push(webSocket);
      return webSocket;
    },
    introduce: () => ({ name: 'Ada', media: { audio: true, video: false } }),
    onMessage: (message) => heard.push(message),
    onState: (state) => states.push(state),
    onRefused: (code) => refused.push(code),
    random: () => 1,
    isCalm,
  });
  const webSocket = () => webSockets.at(-1) ?? expect.fail('no webSocket was opened');
  return { socket, webSockets, webSocket, heard, states, refused };
}

/** The server answers each ping after `delayMs(now)`, where `now` is the time of the ping. */
function answerFor(
  webSocket: () => FakeWebSocket,
  forMs: number,
  delayMs = (_now: number) => 0,
): void {
  let answered = webSocket().sent.filter(({ type }) => type === 'ping').length;
  const answers: number[] = [];
  for (let now = 0; now < forMs; now += 50) {
    const asked = webSocket().sent.filter(({ type }) => type === 'ping').length;
    for (; answered < asked; answered += 1) answers.push(now + delayMs(now));
    for (const at of answers.splice(0)) {
      if (at > now) answers.push(at);
      else webSocket().says({ type: 'pong' });
    }
    vi.advanceTimersByTime(50);
  }
}

test('sends hello first, with token, name and media, and without a session to resume', () => {
  const { webSocket } = open();
  webSocket().opens();
  expect(webSocket().sent).toEqual([
    {
      type: 'hello',
      protocol: 1,
      channel: 'meeting',
      token: 'first',
      name: 'Ada',
      media: { audio: true, video: false },
    },
  ]);
});

test('sends nothing before the welcome arrives', () => {
  const { socket, webSocket } = open();
  webSocket().opens();
  expect(socket.send({ type: 'leave' })).toBe(false);
  webSocket().says(greet());
  expect(socket.send({ type: 'leave' })).toBe(true);
  expect(webSocket().sent.at(-1)).toEqual({ type: 'leave' });
});

test('sends nothing on a socket that is closing, and returns false', () => {
  const { socket, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet());
  const said = webSocket().sent.length;
  webSocket().readyState = WebSocket.CLOSING;
  expect(socket.send({ type: 'leave' })).toBe(false);
  expect(webSocket().sent).toHaveLength(said);
});

test('reconnects with the newest token and resumes the session where it was', () => {
  const { webSocket, webSockets, states } = open();
  webSocket().opens();
  webSocket().says(greet({ session: 's1', token: 'second', sequence: 0 }));
  webSocket().says({ type: 'left', sequence: 7, participantId: 'bo' });
  webSocket().closes(1006);
  expect(states).toEqual(['online', 'lost']);
  vi.advanceTimersByTime(250);
  expect(webSockets).toHaveLength(2);
  webSocket().opens();
  expect(webSocket().sent[0]).toMatchObject({
    token: 'second',
    resume: { session: 's1', sequence: 7 },
  });
});

test('handles each message once, even if a resumed session sends some again', () => {
  const { webSocket, heard } = open();
  webSocket().opens();
  webSocket().says(greet({ session: 's1' }));
  webSocket().says({ type: 'left', sequence: 1, participantId: 'bo' });
  webSocket().closes(1006);
  vi.advanceTimersByTime(250);
  webSocket().opens();
  webSocket().says(greet({ session: 's1', resumed: true, sequence: 2 }));
  webSocket().says({ type: 'left', sequence: 1, participantId: 'bo' });
  webSocket().says({ type: 'left', sequence: 2, participantId: 'cy' });
  expect(heard.map((one) => (one.type === 'left' ? one.participantId : one.type))).toEqual([
    'welcome',
    'bo',
    'welcome',
    'cy',
  ]);
});

test('a new session starts its sequence numbers over', () => {
  const { webSocket, heard } = open();
  webSocket().opens();
  webSocket().says(greet({ session: 's1' }));
  webSocket().says({ type: 'left', sequence: 9, participantId: 'bo' });
  webSocket().closes(1006);
  vi.advanceTimersByTime(250);
  webSocket().opens();
  webSocket().says(greet({ session: 's2' }));
  webSocket().says({ type: 'left', sequence: 1, participantId: 'cy' });
  expect(heard.at(-1)).toMatchObject({ participantId: 'cy' });
});

test('waits longer after each failure, and retries immediately when the network is back', () => {
  const { socket, webSocket, webSockets } = open();
  webSocket().closes(1006);
  vi.advanceTimersByTime(250);
  webSocket().closes(1006);
  vi.advanceTimersByTime(499);
  expect(webSockets).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(webSockets).toHaveLength(3);
  webSocket().closes(1006);
  socket.hurry();
  expect(webSockets).toHaveLength(4);
});

test('waits at least half the backoff and never more than five seconds', () => {
  expect(backoffMs(0, () => 0)).toBe(125);
  expect(backoffMs(0, () => 1)).toBe(250);
  expect(backoffMs(30, () => 1)).toBe(5_000);
});

test('pings after a short silence, with the last sequence number received', () => {
  const { webSocket } = open();
  webSocket().opens();
  webSocket().says(greet());
  webSocket().says({ type: 'left', sequence: 3, participantId: 'bo' });
  vi.advanceTimersByTime(600);
  expect(webSocket().sent.at(-1)).toEqual({ type: 'ping', sequence: 3 });
});

test('an open but silent socket is lost well within two seconds, and replaced soon after', () => {
  const { webSocket, webSockets, states } = open();
  webSocket().opens();
  webSocket().says(greet());
  answerFor(webSocket, 10_000);
  expect(states).toEqual(['online']);
  vi.advanceTimersByTime(1_650);
  expect(states.at(-1)).toBe('lost');
  expect(webSockets[0]?.closed).toBe(false);
  vi.advanceTimersByTime(3_500);
  expect(webSockets[0]?.closed).toBe(true);
  expect(webSockets).toHaveLength(2);
});

test('a socket whose answers always take a second is slow, not lost', () => {
  const { webSocket, webSockets, states } = open();
  webSocket().opens();
  webSocket().says(greet());
  answerFor(webSocket, 24_000, (now) => (now < 4_000 ? 900 : 1_500));
  expect(states).toEqual(['online']);
  expect(webSockets).toHaveLength(1);
});

test('a late pong makes a lost connection online again', () => {
  const { webSocket, webSockets, states } = open();
  webSocket().opens();
  webSocket().says(greet());
  vi.advanceTimersByTime(3_000);
  expect(states.at(-1)).toBe('lost');
  webSocket().says({ type: 'pong' });
  expect(states.at(-1)).toBe('online');
  answerFor(webSocket, 5_000);
  expect(webSockets).toHaveLength(1);
});

test('without an answer it keeps retrying, with at least five sockets in 30 seconds', () => {
  const { webSocket, webSockets } = open();
  webSocket().opens();
  webSocket().says(greet());
  vi.advanceTimersByTime(30_000);
  // Each attempt waits a little longer for its welcome: 3 s, 4 s, … up to 10 s.
  expect(webSockets.length).toBeGreaterThanOrEqual(5);
  webSocket().opens();
  webSocket().says(greet({ session: 'back' }));
  const found = webSockets.length;
  answerFor(webSocket, 10_000);
  expect(webSockets).toHaveLength(found);
});

test('a refusal is final, except after silence', () => {
  const full = open();
  full.webSocket().closes(closeCodes.roomFull);
  vi.advanceTimersByTime(60_000);
  expect(full.refused).toEqual([closeCodes.roomFull]);
  expect(full.webSockets).toHaveLength(1);

  const silent = open();
  silent.webSocket().closes(closeCodes.silent);
  vi.advanceTimersByTime(250);
  expect(silent.refused).toEqual([]);
  expect(silent.webSockets).toHaveLength(2);
});

test('a message that is not in the protocol is ignored', () => {
  const { webSocket, heard } = open();
  webSocket().opens();
  webSocket().says(greet());
  webSocket().onmessage?.(new MessageEvent('message', { data: '{"type":"later"}' }));
  webSocket().onmessage?.(new MessageEvent('message', { data: 'not json' }));
  expect(heard).toHaveLength(1);
});

test('a closed socket never reconnects', () => {
  const { socket, webSocket, webSockets } = open();
  webSocket().opens();
  webSocket().says(greet());
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect(webSockets).toHaveLength(1);
  expect(webSocket().closed).toBe(true);
});

test('while media arrives directly it pings every five seconds, and once none does, notices a loss within two', () => {
  let mediaArrives = true;
  const { webSocket, states } = open(() => mediaArrives);
  webSocket().opens();
  webSocket().says(greet());
  answerFor(webSocket, 60_000);
  expect(webSocket().sent.filter(({ type }) => type === 'ping').length).toBeLessThanOrEqual(12);
  expect(states).toEqual(['online']);
  mediaArrives = false;
  vi.advanceTimersByTime(2_000);
  expect(states).toEqual(['online', 'lost']);
});

test('while media arrives, a socket that alone falls silent is lost within seven seconds', () => {
  const { webSocket, states } = open(() => true);
  webSocket().opens();
  webSocket().says(greet());
  vi.advanceTimersByTime(7_000);
  expect(states).toEqual(['online', 'lost']);
});

test('a socket in the lobby pings every five seconds, and reconnects to its place', () => {
  const { webSocket, webSockets, states } = open();
  webSocket().opens();
  const waiting = {
    type: 'waiting',
    since: null,
    mustAsk: true,
    hostIsHere: true,
    said: null,
  } as const;
  webSocket().says({ ...waiting, token: 'of the lobby' });
  answerFor(webSocket, 30_000);
  expect(states).toEqual(['online']);
  expect(webSocket().sent.filter(({ type }) => type === 'ping')).toHaveLength(6);
  vi.advanceTimersByTime(20_000);
  expect(states).toContain('lost');
  expect(webSockets.length).toBeGreaterThan(1);
  webSocket().opens();
  expect(webSocket().sent[0]).toMatchObject({ type: 'hello', token: 'of the lobby' });
  expect(webSocket().sent[0]).not.toHaveProperty('resume');
});
