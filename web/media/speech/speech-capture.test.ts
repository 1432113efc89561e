import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notCapturedCode } from '#domain/calls/close-codes.ts';
import { openSpeechCapture } from './speech-capture.ts';
import type { SpeechState } from './speech-state.ts';

const recorders: FakeRecorder[] = [];
class FakeRecorder {
  static isTypeSupported = (type: string) => type.startsWith('audio/webm');
  state: 'inactive' | 'recording' = 'inactive';
  onstart: () => void = () => undefined;
  onstop: () => void = () => undefined;
  ondataavailable: (event: { data: { size: number } }) => void = () => undefined;
  readonly tracks: unknown[];
  readonly options: object;
  constructor(stream: { tracks: unknown[] }, options: object) {
    this.tracks = stream.tracks;
    this.options = options;
    recorders.push(this);
  }
  start() {
    this.state = 'recording';
    this.onstart();
  }
  stop() {
    this.state = 'inactive';
    this.ondataavailable({ data: { size: 9 } });
    this.onstop();
  }
  slice(size: number) {
    this.ondataavailable({ data: { size } });
  }
}
class FakeSocket {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  send(data: unknown) {
    this.sent.push(typeof data === 'string' ? JSON.parse(data) : data);
  }
  close() {
    this.readyState = WebSocket.CLOSED;
  }
  drops(code: number) {
    this.readyState = WebSocket.CLOSED;
    this.onclose({ code });
  }
}
const track = () => ({ readyState: 'live' }) as MediaStreamTrack;

function openCapture(microphone: () => MediaStreamTrack | null) {
  const sockets: FakeSocket[] = [];
  const states: SpeechState[] = [];
  const capture = openSpeechCapture({
    microphone,
    token: 't',
    callId: 'c',
    onState: (state) => states.push(state),
    openWebSocket: () => {
      sockets.push(new FakeSocket());
      return sockets.at(-1) as unknown as WebSocket;
    },
  });
  return { sockets, states, capture };
}

beforeEach(() => {
  recorders.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  vi.stubGlobal(
    'MediaStream',
    class {
      readonly tracks: unknown[];
      constructor(tracks: unknown[]) {
        this.tracks = tracks;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('records the microphone alone, and only once the server is ready', async () => {
  const microphone = track();
  const { sockets, states, capture } = openCapture(() => microphone);
  const [socket] = sockets;
  socket?.onopen();
  expect(socket?.sent).toEqual([{ type: 'hello', protocol: 1, token: 't' }]);
  expect(recorders).toEqual([]);
  socket?.onmessage({ data: 'ready' });
  expect(recorders[0]?.tracks).toEqual([microphone]);
  recorders[0]?.slice(0);
  recorders[0]?.slice(700);
  expect(socket?.sent.slice(1)).toEqual([{ type: 'begin', ageMs: 0 }, { size: 700 }]);
  await capture.stop();
  expect(recorders[0]?.state).toBe('inactive');
  expect(socket?.sent.at(-1)).toEqual({ size: 9 });
  expect(socket?.readyState).toBe(WebSocket.CLOSED);
  expect(states).toEqual(['connecting', 'on']);
});

test('another microphone begins another file; without one, nothing is recorded', () => {
  let microphone: MediaStreamTrack | null = track();
  const { sockets, states } = openCapture(() => microphone);
  sockets[0]?.onmessage({ data: 'ready' });
  const other = track();
  microphone = other;
  vi.advanceTimersByTime(600);
  expect(recorders[0]?.state).toBe('inactive');
  expect(recorders[1]?.tracks).toEqual([other]);
  recorders[1]?.slice(5);
  expect(
    sockets[0]?.sent.filter((said) => (said as { type?: string }).type === 'begin'),
  ).toHaveLength(2);
  microphone = null;
  vi.advanceTimersByTime(600);
  expect(recorders[1]?.state).toBe('inactive');
  expect(states.at(-1)).toBe('waiting');
});

test('when the server ends the capture, recording stops and is not begun again', () => {
  const { sockets, states } = openCapture(track);
  sockets[0]?.onmessage({ data: 'ready' });
  sockets[0]?.drops(notCapturedCode);
  expect(recorders[0]?.state).toBe('inactive');
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toBe('ended');
});

test('after a lost connection it connects again; a slow one gets no more than it takes', () => {
  const microphone = track();
  const { sockets } = openCapture(() => microphone);
  sockets[0]?.onmessage({ data: 'ready' });
  sockets[0]?.drops(1006);
  expect(recorders[0]?.state).toBe('inactive');
  vi.advanceTimersByTime(10_000);
  expect(sockets).toHaveLength(2);
  const [, second] = sockets;
  second?.onmessage({ data: 'ready' });
  expect(recorders[1]?.state).toBe('recording');
  if (second) second.bufferedAmount = 100_000;
  vi.advanceTimersByTime(600);
  expect(recorders[1]?.state).toBe('inactive');
  if (second) second.bufferedAmount = 0;
  vi.advanceTimersByTime(600);
  expect(recorders[2]?.state).toBe('recording');
});

test('a browser that cannot record it says so, and opens no socket', async () => {
  vi.stubGlobal('MediaRecorder', { isTypeSupported: () => false });
  const { sockets, states, capture } = openCapture(track);
  await capture.stop();
  expect(sockets).toEqual([]);
  expect(states).toEqual(['unsupported']);
});
