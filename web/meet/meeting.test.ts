// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Participant } from '#domain/calls/participant.ts';
import { fakePerson } from '#web/live/fake-person.ts';
import { LocalMedia } from '#web/media/devices/local-media.ts';
import { rememberChoice } from '#web/media/devices/remembered-choice.ts';
import { beginOffer } from '#web/media/early/early-offer.ts';
import { FakeConnection } from '#web/media/fakes.ts';
import { FakeWebSocket, greet } from '../live/fake-web-socket.ts';
import { Frame } from './frame.ts';
import { Meeting } from './meeting.ts';
import type { Wait } from './meeting-state.ts';
import type { MeetingEntry } from './read-entry.ts';

const guest: MeetingEntry = {
  kind: 'guest',
  scope: '/join/abc',
  token: 'boot',
  organization: { name: 'Northwind', brandColor: '#0f766e', logoUrl: null },
  room: { id: 'r', topic: 'Review' },
  name: null,
};
const ada = fakePerson('ada', { kind: 'staff', name: 'Ada' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', {});
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(entry: MeetingEntry = guest, fresh: string | null = null) {
  const webSockets: FakeWebSocket[] = [];
  const offering: FakeConnection[] = [];
  const told: unknown[] = [];
  const frame = new Frame(window);
  vi.spyOn(frame, 'post').mockImplementation((telling) => void told.push(telling));
  const meeting = new Meeting({
    entry,
    media: new LocalMedia({ audio: true, video: true }, {}),
    frame,
    tabStorage: sessionStorage,
    deviceStorage: localStorage,
    openWebSocket: () => {
      const webSocket = new FakeWebSocket();
      webSockets.push(webSocket);
      return webSocket;
    },
    connections: {
      make: () => new FakeConnection(),
      beginOffer: () => {
        const connection = new FakeConnection();
        offering.push(connection);
        return beginOffer(connection);
      },
      prepare: () => {},
      earlyOffer: () => null,
      use: () => {},
    },
    loadSfuTransport: () => Promise.reject(new Error('none here')),
    newId: () => 'c1',
    hostname: 'localhost',
    freshGuestToken: async () => fresh,
  });
  meeting.open();
  const webSocket = () => webSockets.at(-1) ?? expect.fail('no webSocket was opened');
  return { meeting, webSocket, webSockets, told, offering };
}
const skipPreview = (more = {}) =>
  rememberChoice(localStorage, { skipPreviewAt: [guest.scope.slice(-10)], name: 'Grace', ...more });
const settled = () => vi.advanceTimersByTimeAsync(0);
const offersTo = (webSocket: FakeWebSocket) =>
  webSocket.sent.flatMap((one) =>
    one.type === 'signal' && one.signal.description?.type === 'offer' ? [one.to] : [],
  );

test('in the preview the hello has no media, and no participant gets an offer', async () => {
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(meeting.getSnapshot().phase).toBe('preview');
  expect(webSocket().sent[0]).not.toHaveProperty('media');
  expect(offersTo(webSocket())).toEqual([]);
});

test('joining sends the name, then offers to everyone present', async () => {
  const { meeting, webSocket, told } = open();
  webSocket().opens();
  webSocket().says(greet({ participants: [ada] }));
  meeting.join('Grace');
  await settled();
  expect(webSocket().sent[1]).toMatchObject({ type: 'join', name: 'Grace' });
  expect(offersTo(webSocket())).toEqual(['ada']);
  expect(told).toEqual([{ type: 'ready' }, { type: 'joined' }]);
});

test('a remembered choice joins immediately: name and media in the hello, offers after the welcome', async () => {
  skipPreview();
  const { webSocket } = open();
  webSocket().opens();
  expect(webSocket().sent[0]).toMatchObject({ type: 'hello', name: 'Grace', media: {} });
  webSocket().says(greet({ participants: [ada, { ...ada, id: 'bo', inMeeting: false }] }));
  await settled();
  expect(offersTo(webSocket())).toEqual(['ada']);
  expect(webSocket().sent.some((one) => one.type === 'join')).toBe(false);
});

test.each<[string, MeetingEntry]>([
  ['another guest link', { ...guest, scope: '/join/other' }],
  ['a member’s page outside of the application', { kind: 'staff', scope: '/meet/r', token: 't' }],
])('R29-A4: %s shows its preview, whatever was chosen elsewhere', (_, entry) => {
  skipPreview({ skipPreview: true });
  expect(open(entry).meeting.getSnapshot().phase).toBe('preview');
});

test('joining while the socket is still opening waits for the welcome', async () => {
  const { meeting, webSocket } = open();
  webSocket().opens();
  meeting.join('Grace');
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(webSocket().sent.filter((one) => one.type === 'join')).toHaveLength(1);
  expect(offersTo(webSocket())).toEqual(['ada']);
});

test('a present page waits for the offer of the one that joins', async () => {
  skipPreview();
  const { webSocket } = open();
  webSocket().opens();
  webSocket().says(greet());
  webSocket().says({ type: 'joined', sequence: 1, participant: ada });
  await settled();
  expect(offersTo(webSocket())).toEqual([]);
});

test('a reloaded tab is the same participant, and rejoins immediately', () => {
  rememberChoice(localStorage, { name: 'Grace' });
  const first = open();
  first.webSocket().opens();
  first.webSocket().says(greet({ token: 'of this tab' }));
  first.meeting.join('Grace');

  const second = open();
  expect(second.meeting.getSnapshot().phase).toBe('meeting');
  second.webSocket().opens();
  expect(second.webSocket().sent[0]).toMatchObject({ token: 'of this tab', media: {} });
  expect(second.webSocket().sent[0]).not.toHaveProperty('resume');
});

test('a tab whose own token expired uses the one of its page, then requests a fresh one', async () => {
  const first = open();
  first.webSocket().opens();
  first.webSocket().says(greet({ token: 'old' }));

  const { meeting, webSockets, webSocket } = open(guest, 'fresh');
  for (const token of ['old', 'boot', 'fresh']) {
    webSocket().opens();
    expect(webSocket().sent[0]).toMatchObject({ token });
    webSocket().closes(closeCodes.tokenRefused);
    await settled();
  }
  expect(webSockets).toHaveLength(3);
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'over', ending: 'tokenRefused' });
});

test("staff join with the token of the address, regardless of the tab's earlier identity", () => {
  const staff = { kind: 'staff', scope: '/meet/r', token: 'mine' } as const;
  const first = open(staff);
  first.webSocket().opens();
  first.webSocket().says(greet({ token: 'of another account' }));
  const second = open(staff);
  second.webSocket().opens();
  expect(second.webSocket().sent[0]).toMatchObject({ token: 'mine' });
});

test('leaving sends a message, releases everything, and allows to rejoin', async () => {
  skipPreview();
  const { meeting, webSocket, told } = open();
  webSocket().opens();
  webSocket().says(greet());
  meeting.leave();
  expect(webSocket().sent.at(-1)).toEqual({ type: 'leave' });
  expect(webSocket().closed).toBe(true);
  expect(told.at(-1)).toEqual({ type: 'left' });
  meeting.rejoin();
  webSocket().opens();
  expect(webSocket().sent[0]).toMatchObject({ type: 'hello', name: 'Grace', media: {} });
});

test('a full room is shown, and posted to the embedding page', async () => {
  skipPreview();
  const { meeting, webSocket, told } = open();
  webSocket().opens();
  webSocket().closes(closeCodes.roomFull);
  await settled();
  expect(meeting.getSnapshot().ending).toBe('roomFull');
  expect(told.at(-1)).toEqual({ type: 'failed', code: 'roomFull' });
});

test('the end of the call ends the meeting, but not the preview of the next one', () => {
  const ended = { type: 'call-ended', sequence: 1, callId: 'c', endedAt: '2026-01-01' } as const;
  const waiting = open();
  waiting.webSocket().opens();
  waiting.webSocket().says(greet());
  waiting.webSocket().says(ended);
  expect(waiting.meeting.getSnapshot().phase).toBe('preview');

  waiting.meeting.join('Grace');
  waiting.webSocket().says({ ...ended, sequence: 2 });
  expect(waiting.meeting.getSnapshot().ending).toBe('callEnded');
  expect(waiting.told.at(-1)).toEqual({ type: 'call-ended' });
});

/** The socket breaks, and the server that answers next has no session. */
function serverBeginsAnew(webSocket: () => FakeWebSocket, participants: Participant[] = []): void {
  const { answersPings } = webSocket();
  webSocket().closes(1006);
  vi.advanceTimersByTime(250);
  webSocket().answersPings = answersPings;
  webSocket().opens();
  webSocket().says(greet({ session: 's2', participants }));
}

test('after a restart of the server, new offers go to the participants who are back', async () => {
  skipPreview();
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet({ session: 's1', participants: [ada, { ...ada, id: 'bo' }] }));
  await settled();
  serverBeginsAnew(webSocket, [ada]);
  await settled();
  expect(offersTo(webSocket())).toEqual(['ada']);
  expect(meeting.getSnapshot().roster.missing).toEqual(['bo']);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(meeting.getSnapshot().roster.participants.map((one) => one.id)).toEqual(['ada']);
});

test('peer connections that carry media survive a restart of the server: no offers are sent', async () => {
  skipPreview();
  const { meeting, webSocket, webSockets, offering } = open();
  webSocket().answersPings = true;
  webSocket().opens();
  webSocket().says(greet({ session: 's1', participants: [ada] }));
  await settled();
  const description = { type: 'answer', sdp: 'answer' } as const;
  webSocket().says({
    type: 'signal',
    sequence: 1,
    from: 'ada',
    signal: { connection: 'c1', description },
  });
  await settled();
  offering[0]?.become('connected');
  serverBeginsAnew(webSocket);
  // She stays while her media arrive, although her own socket is not back.
  await vi.advanceTimersByTimeAsync(20_000);
  expect(meeting.getSnapshot().roster.missing).toEqual(['ada']);
  expect(offering[0]?.connectionState).toBe('connected');
  webSocket().says({ type: 'joined', sequence: 1, participant: ada });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(webSockets).toHaveLength(2);
  expect(offersTo(webSocket())).toEqual([]);
  expect(offering).toHaveLength(1);

  // A session on another process: she may not have received what she has not answered.
  offering[0]?.onnegotiationneeded?.(new Event('negotiationneeded'));
  await settled();
  expect(offersTo(webSocket())).toEqual(['ada']);
  webSocket().says({ type: 'joined', sequence: 2, participant: ada });
  await settled();
  expect(offersTo(webSocket())).toEqual(['ada', 'ada']);
  expect(offering).toHaveLength(1);
});

test('a participant who does not return after a restart is forgotten once their media stop', async () => {
  skipPreview();
  const { meeting, webSocket, offering } = open();
  webSocket().answersPings = true;
  webSocket().opens();
  webSocket().says(greet({ session: 's1', participants: [ada] }));
  await settled();
  offering[0]?.become('connected');
  serverBeginsAnew(webSocket);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(meeting.getSnapshot().roster.participants).toHaveLength(1);
  offering[0]?.become('disconnected');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(meeting.getSnapshot().roster.participants).toEqual([]);
  expect(offering[0]?.connectionState).toBe('closed');
});

test('a closing tab leaves by socket and by request, and a reloaded one rejoins immediately', async () => {
  skipPreview();
  const sendBeacon = vi.fn<Navigator['sendBeacon']>(() => true);
  navigator.sendBeacon = sendBeacon;
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet());
  await settled();
  meeting.pageCloses();
  expect(webSocket().sent.at(-1)).toEqual({ type: 'leave' });
  const [path, body] = sendBeacon.mock.lastCall ?? [];
  expect(path).toBe('/api/meetings/leave');
  const { token, session } = greet();
  expect(JSON.parse(await (body as Blob).text())).toEqual({ token, session });
  expect(open().meeting.getSnapshot().phase).toBe('meeting');
});

const wait = (changed: Partial<Wait> = {}): Wait => ({
  type: 'waiting',
  since: null,
  mustAsk: true,
  hostIsHere: false,
  said: null,
  token: 'of the lobby',
  ...changed,
});

test('with a lobby, Join asks to be admitted, and an admitted guest sends hello again on the same socket', async () => {
  const { meeting, webSocket, webSockets, told } = open();
  webSocket().opens();
  webSocket().says(wait());
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'preview', wait: { since: null } });
  meeting.join('Grace');
  expect(webSocket().sent[1]).toMatchObject({ type: 'join', name: 'Grace' });
  webSocket().says(wait({ since: '2026-01-01T10:00:00Z', said: 'Two minutes' }));
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'meeting', wait: { said: 'Two minutes' } });
  expect(told).toEqual([{ type: 'ready' }]);

  webSocket().says({ type: 'let-in' });
  expect(webSocket().sent.at(-1)).toMatchObject({
    type: 'hello',
    token: 'of the lobby',
    name: 'Grace',
    media: {},
  });
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(webSockets).toHaveLength(1);
  expect(meeting.getSnapshot().wait).toBeNull();
  expect(offersTo(webSocket())).toEqual(['ada']);
  expect(webSocket().sent.filter((one) => one.type === 'join')).toHaveLength(1);
});

test('G2: a guest who has to ask again is shown the lobby, and starts over once admitted', async () => {
  skipPreview();
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(meeting.peerConnections.size).toBe(1);
  webSocket().closes(1012);
  await vi.runOnlyPendingTimersAsync();
  webSocket().opens();
  webSocket().says(wait({ since: '2026-01-01T10:00:00Z' }));
  expect(meeting.peerConnections.size).toBe(0);
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'meeting', wait: { mustAsk: true } });
  expect(meeting.send({ type: 'react', reaction: '👏' })).toBe(false);
  webSocket().says({ type: 'let-in' });
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(offersTo(webSocket())).toEqual(['ada']);
});

test('without a lobby, Join sends hello on the same socket, and no participant is known before', async () => {
  const { meeting, webSocket, webSockets } = open();
  webSocket().opens();
  webSocket().says(
    wait({ mustAsk: false, hostIsHere: true, iceServers: [{ urls: 'stun:s.test' }] }),
  );
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'preview', reach: 'everywhere' });
  expect(meeting.getSnapshot().roster.participants).toEqual([]);
  meeting.join('Grace');
  expect(webSocket().sent.slice(1)).toMatchObject([
    { type: 'hello', token: 'of the lobby', name: 'Grace', media: {} },
  ]);
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'meeting', wait: null });
  webSocket().says(greet({ participants: [ada] }));
  await settled();
  expect(webSockets).toHaveLength(1);
  expect(offersTo(webSocket())).toEqual(['ada']);
  expect(webSocket().sent.filter((one) => one.type === 'join')).toEqual([]);
});

test('a guest who chose Join before the socket was open joins immediately', async () => {
  const { meeting, webSocket } = open();
  webSocket().opens();
  meeting.join('Grace');
  webSocket().says(wait({ mustAsk: false }));
  expect(webSocket().sent.at(-1)).toMatchObject({ type: 'hello', name: 'Grace', media: {} });
});

test('a host who loses that right no longer sees the lobby', async () => {
  skipPreview();
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(greet({ mayEdit: true }));
  const guests = [{ id: 'bo', name: 'Bo', since: '2026-01-01T10:00:00Z' }];
  webSocket().says({ type: 'lobby', sequence: 1, guests, hidden: 2 });
  expect(meeting.getSnapshot()).toMatchObject({ isHost: true, guests, hiddenGuests: 2 });
  webSocket().says({ type: 'rights', sequence: 2, mayEdit: false });
  expect(meeting.getSnapshot()).toMatchObject({ isHost: false, guests: [], hiddenGuests: 0 });
});

test('a guest in the lobby sends no messages, and a reloaded tab keeps waiting with the same token', async () => {
  const { meeting, webSocket } = open();
  webSocket().opens();
  webSocket().says(wait());
  meeting.join('Grace');
  webSocket().says(wait({ since: '2026-01-01T10:00:00Z' }));
  expect(meeting.send({ type: 'react', reaction: '👏' })).toBe(false);
  meeting.pageCloses();

  const second = open();
  second.webSocket().opens();
  expect(second.webSocket().sent[0]).toMatchObject({
    token: 'of the lobby',
    name: 'Grace',
    media: {},
  });
});

test('a denied guest is informed, and cannot ask again', () => {
  skipPreview();
  const { meeting, webSocket, told } = open();
  webSocket().opens();
  webSocket().says(wait({ since: '2026-01-01T10:00:00Z' }));
  webSocket().closes(closeCodes.refusedEntry);
  expect(meeting.getSnapshot()).toMatchObject({ phase: 'over', wait: null });
  expect(told.at(-1)).toEqual({ type: 'failed', code: 'refusedEntry' });
});

test('the embedding page receives the number of waiting guests', () => {
  skipPreview();
  const { meeting, webSocket, told } = open();
  webSocket().opens();
  webSocket().says(greet({ mayEdit: true }));
  const bo = { id: 'bo', name: 'Bo', since: '2026-01-01T10:00:00Z' };
  webSocket().says({ type: 'lobby', sequence: 1, guests: [bo] });
  expect(meeting.getSnapshot().guests).toEqual([bo]);
  expect(told.at(-1)).toEqual({ type: 'waiting', count: 1 });
  meeting.leave();
  expect(told.slice(-2)).toEqual([{ type: 'waiting', count: 0 }, { type: 'left' }]);
});
