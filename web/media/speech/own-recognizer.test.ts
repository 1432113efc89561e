import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notCapturedCode } from '#domain/calls/close-codes.ts';
import { openSpeechCapture } from './speech-capture.ts';
import type { SpeechState } from './speech-state.ts';

type Result = { isFinal: boolean; 0: { transcript: string } };
const recognitions: FakeRecognition[] = [];
/** Chromium's API, with recognition on the device. */
class FakeRecognition {
  static available = vi.fn(async () => 'available');
  static install = vi.fn(async () => true);
  lang = '';
  continuous = false;
  interimResults = true;
  track: unknown = null;
  isAborted = false;
  onspeechstart: () => void = () => undefined;
  onresult: (event: { resultIndex: number; results: Result[] }) => void = () => undefined;
  onerror: (event: { error: string }) => void = () => undefined;
  onend: () => void = () => undefined;
  #isLocal = false;
  constructor() {
    recognitions.push(this);
  }
  get processLocally() {
    return this.#isLocal;
  }
  set processLocally(isLocal: boolean) {
    this.#isLocal = isLocal;
  }
  start(track: unknown) {
    this.track = track;
  }
  abort() {
    this.isAborted = true;
    this.onend();
  }
  say(transcript: string, isFinal = true) {
    this.onresult({ resultIndex: 1, results: [old, { isFinal, 0: { transcript } }] });
  }
}
const old: Result = { isFinal: true, 0: { transcript: 'Said before.' } };

class FakeSocket {
  readyState: number = WebSocket.OPEN;
  bufferedAmount = 0;
  readonly sent: { type: string; text?: string; durationMs?: number }[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  send(data: string) {
    this.sent.push(JSON.parse(data));
  }
  close() {
    this.readyState = WebSocket.CLOSED;
  }
}
const track = () => ({ readyState: 'live', enabled: true }) as MediaStreamTrack;

async function open(microphone: () => MediaStreamTrack | null = () => own) {
  const socket = new FakeSocket();
  const states: SpeechState[] = [];
  const capture = openSpeechCapture({
    microphone,
    token: 't',
    callId: 'c',
    onState: (state) => states.push(state),
    openWebSocket: () => socket as unknown as WebSocket,
  });
  socket.onopen();
  socket.onmessage({ data: 'recognize' });
  await vi.waitFor(() => expect(states.length).toBeGreaterThan(1));
  return {
    socket,
    states,
    capture,
    phrases: () => socket.sent.filter(({ type }) => type === 'phrase'),
  };
}
let own: MediaStreamTrack;

beforeEach(() => {
  recognitions.length = 0;
  own = track();
  FakeRecognition.available.mockReset().mockResolvedValue('available');
  FakeRecognition.install.mockReset().mockResolvedValue(true);
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  vi.stubGlobal('SpeechRecognition', FakeRecognition);
  vi.stubGlobal('navigator', { language: 'en-US' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the microphone of the call is recognized on the device, and phrases are sent as text', async () => {
  const { socket, states, phrases } = await open();
  expect(FakeRecognition.available).toHaveBeenCalledWith({
    langs: ['en-US'],
    processLocally: true,
  });
  const [one] = recognitions;
  expect(one).toMatchObject({ processLocally: true, lang: 'en-US', continuous: true, track: own });
  expect(states).toEqual(['connecting', 'on']);
  vi.advanceTimersByTime(3000);
  one?.onspeechstart();
  vi.advanceTimersByTime(1500);
  one?.say('We will', false);
  one?.say(' We will send it. ');
  one?.say('   ');
  expect(phrases()).toEqual([
    { type: 'phrase', text: 'We will send it.', durationMs: 1500, language: 'en-US' },
  ]);
  one?.say('a'.repeat(2000));
  expect(phrases()[1]?.text).toHaveLength(1000);
  expect(
    socket.sent.every((said) => typeof said === 'object'),
    'no sound',
  ).toBe(true);
});

test('a muted microphone is not listened to, and another one is', async () => {
  let microphone: MediaStreamTrack | null = own;
  const { states } = await open(() => microphone);
  Object.assign(own, { enabled: false });
  vi.advanceTimersByTime(600);
  expect(recognitions[0]?.isAborted).toBe(true);
  expect(states.at(-1)).toBe('waiting');
  vi.advanceTimersByTime(20_000);
  expect(recognitions).toHaveLength(1);
  microphone = track();
  vi.advanceTimersByTime(600);
  expect(recognitions[1]?.track).toBe(microphone);
});

test('a recognizer that ends is started again, less often while it hears nothing', async () => {
  await open();
  recognitions[0]?.onend();
  vi.advanceTimersByTime(300);
  expect(recognitions).toHaveLength(2);
  for (let at = 0; at < 9; at += 1) {
    recognitions.at(-1)?.onend();
    vi.advanceTimersByTime(8_000);
  }
  const before = recognitions.length;
  recognitions.at(-1)?.onend();
  vi.advanceTimersByTime(7_000);
  expect(recognitions).toHaveLength(before);
  vi.advanceTimersByTime(2_000);
  expect(recognitions).toHaveLength(before + 1);
});

test('a language that is not loaded is offered, and loaded when the person wants it', async () => {
  FakeRecognition.available.mockResolvedValueOnce('downloadable');
  const { states, capture } = await open();
  expect(states.at(-1)).toBe('installable');
  expect(recognitions).toEqual([]);
  expect(FakeRecognition.install).not.toHaveBeenCalled();
  capture.install();
  expect(states.at(-1)).toBe('installing');
  await vi.waitFor(() => expect(states.at(-1)).toBe('on'));
  expect(FakeRecognition.install).toHaveBeenCalledWith({ langs: ['en-US'], processLocally: true });
  FakeRecognition.available.mockResolvedValueOnce('downloadable');
  FakeRecognition.install.mockRejectedValueOnce(new Error('no space'));
  const other = await open();
  other.capture.install();
  await vi.waitFor(() => expect(other.states.at(-1)).toBe('unsupported'));
});

test.each([
  [
    'says that it has no language on the device',
    () => FakeRecognition.available.mockResolvedValue('unavailable'),
  ],
  ['cannot say', () => FakeRecognition.available.mockRejectedValue(new Error('language'))],
  ['would send the sound to its maker', () => vi.stubGlobal('SpeechRecognition', class {})],
])('a browser that %s is not used', async (_, prepare) => {
  prepare();
  const { socket, states } = await open();
  expect(states.at(-1)).toBe('unsupported');
  expect(recognitions).toEqual([]);
  expect(socket.readyState).toBe(WebSocket.CLOSED);
});

test('an error that stays ends it; the end of the capture does, too', async () => {
  const refused = await open();
  recognitions[0]?.onerror({ error: 'no-speech' });
  expect(refused.states.at(-1)).toBe('on');
  recognitions[0]?.onerror({ error: 'language-not-supported' });
  expect(refused.states.at(-1)).toBe('unsupported');
  expect(recognitions[0]?.isAborted).toBe(true);
  const withdrawn = await open();
  withdrawn.socket.onclose({ code: notCapturedCode });
  expect(recognitions[1]?.isAborted).toBe(true);
  expect(withdrawn.states.at(-1)).toBe('ended');
  const stopped = await open();
  await stopped.capture.stop();
  recognitions[2]?.say('Too late.');
  expect(stopped.phrases()).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(recognitions).toHaveLength(3);
});
