// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import type { MediaState } from '#domain/calls/participant.ts';
import { HostedCall, recordedCall } from '#web/calls/hosted-call.ts';
import { FakeWebSocket, greet } from '#web/live/fake-web-socket.ts';
import type { DailyEvents } from '#web/meet/hosted/daily-page.ts';

const page = vi.hoisted(() => ({
  opened: [] as { entrance: object; events: DailyEvents }[],
  leave: vi.fn(() => Promise.resolve()),
  turnMicrophone: vi.fn(),
}));
vi.mock('#web/meet/hosted/daily-page.ts', () => ({
  openDailyPage: (_frame: object, entrance: object, events: DailyEvents) => {
    page.opened.push({ entrance, events });
    return page;
  },
}));

const entrance = { dailyUrl: 'https://x.daily.co/r', meetingToken: 'daily', panelToken: 'panel' };
const media: MediaState = { audio: true, video: false };
let line: FakeWebSocket;
let said: object[];
let call: HostedCall;

beforeEach(() => {
  vi.useFakeTimers();
  page.opened = [];
  page.leave.mockClear();
  page.turnMicrophone.mockClear();
  vi.stubGlobal(
    'WebSocket',
    class extends FakeWebSocket {
      constructor() {
        super();
        line = this;
      }
    },
  );
  said = [];
  call = new HostedCall(document.createElement('iframe'), entrance, (what) => said.push(what));
});
afterEach(() => {
  call.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Without an answer of the server the page is opened after four seconds. */
const wait = (ms = 4000) => vi.advanceTimersByTimeAsync(ms);
const types = () => line.sent.map(({ type }) => type);

async function open(): Promise<DailyEvents> {
  await wait();
  await vi.waitFor(() => expect(page.opened).toHaveLength(1));
  const [opened] = page.opened;
  if (!opened) throw new Error('The page was not opened');
  return opened.events;
}

test('the hosted page opens with its own token, the line to the server with the panel’s', async () => {
  line.opens();
  expect(line.sent[0]).toMatchObject({ type: 'hello', token: 'panel' });
  await wait(3000);
  expect(page.opened, 'the server may still ask about a recording').toEqual([]);
  await open();
  expect(page.opened[0]?.entrance).toEqual(entrance);
});

test('who joins is told to the server and to the call’s page, with the microphone', async () => {
  line.opens();
  line.says(greet());
  const events = await open();
  events.onJoined(media);
  expect(line.sent).toContainEqual({ type: 'join', media });
  expect(said).toEqual([{ type: 'joined' }, { type: 'microphone', on: true }]);
  events.onMedia({ audio: false, video: false });
  expect(line.sent).toContainEqual({ type: 'media', media: { audio: false, video: false } });
  expect(said.at(-1)).toEqual({ type: 'microphone', on: false });
});

test('the page’s orders reach the hosted page: leaving, and the microphone', async () => {
  await open();
  call.tell({ type: 'microphone', on: true });
  call.tell({ type: 'microphone', on: false });
  call.tell({ type: 'microphone' });
  expect(page.turnMicrophone.mock.calls).toEqual([[true], [false], [false]]);
  call.tell({ type: 'view' });
  expect(page.leave).not.toHaveBeenCalled();
  call.tell({ type: 'leave' });
  expect(page.leave).toHaveBeenCalledOnce();
  expect(page.turnMicrophone).toHaveBeenCalledTimes(3);
});

test('who leaves on the hosted page leaves the call, and their part in it ends', async () => {
  line.opens();
  line.says(greet());
  const events = await open();
  events.onLeft();
  expect(types()).toContain('leave');
  expect(said).toEqual([{ type: 'left' }]);
});

test('a failure of the hosted page is told with its reason', async () => {
  const events = await open();
  events.onFailed('expired');
  expect(said).toEqual([{ type: 'failed', code: 'expired' }]);
});

test('a closed call says nothing more, and leaves once', async () => {
  line.opens();
  line.says(greet());
  const events = await open();
  expect(recordedCall.getSnapshot().recording).not.toBe(null);
  call.close();
  call.close();
  expect(page.leave).toHaveBeenCalledOnce();
  expect(types().filter((type) => type === 'leave')).toHaveLength(1);
  expect(recordedCall.getSnapshot().recording).toBe(null);
  events.onLeft();
  events.onFailed('broken');
  expect(said).toEqual([]);
});

test('a call that is closed before its page is there opens none', async () => {
  call.close();
  await wait(10_000);
  expect(page.opened).toEqual([]);
});

test('a host mutes the microphone', async () => {
  line.opens();
  line.says(greet());
  await open();
  line.says({ type: 'muted', sequence: 1, by: 'host' });
  expect(page.turnMicrophone.mock.calls).toEqual([[false]]);
});

test.each([
  ['the end of the call', closeCodes.callEnded, 1],
  ['a removal', closeCodes.removed, 1],
  ['another refusal', closeCodes.roomGone, 0],
] as const)('%s makes the hosted page leave or not', async (_what, code, leaves) => {
  line.opens();
  line.says(greet());
  await open();
  line.closes(code);
  expect(page.leave).toHaveBeenCalledTimes(leaves);
});
