// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Signal } from '#domain/calls/signal.ts';
import { beginOffer } from '../early/early-offer.ts';
import { FakeConnection, FakeTrack } from '../fakes.ts';
import type { PeerView } from '../peer-view.ts';
import type { Tracks } from '../webrtc.ts';
import { Peer } from './peer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

let ids = 0;

/** One side of a pair: its peer, its connections in the order in which they were made, and what it sent. */
function side(polite: boolean) {
  const made: FakeConnection[] = [];
  const sent: Signal[] = [];
  const views: PeerView[] = [];
  const tracks: Tracks = {
    audio: new FakeTrack('audio'),
    video: new FakeTrack('video'),
    screen: null,
    screenAudio: null,
  };
  const line = { reachable: true };
  const hooks = { onMade: (_: FakeConnection) => {} };
  const makeConnection = () => {
    const connection = new FakeConnection();
    hooks.onMade(connection);
    made.push(connection);
    return connection;
  };
  const peer = new Peer({
    polite,
    reachable: () => line.reachable,
    makeConnection,
    beginOffer: () => beginOffer(makeConnection()),
    newId: () => `connection-${++ids}`,
    send: (signal) => {
      if (line.reachable) sent.push(signal);
      return line.reachable;
    },
    tracks: () => tracks,
    onView: (view) => views.push(view),
  });
  return Object.assign(hooks, { peer, made, sent, views, tracks, line });
}
type Side = ReturnType<typeof side>;

const settled = () => vi.advanceTimersByTimeAsync(0);

/** Delivers the signals of both sides until neither sends more. */
async function talk(one: Side, other: Side): Promise<void> {
  await settled();
  while (one.sent.length + other.sent.length > 0) {
    const [fromOne, fromOther] = [one.sent.splice(0), other.sent.splice(0)];
    for (const signal of fromOne) await other.peer.receive(signal);
    for (const signal of fromOther) await one.peer.receive(signal);
    await settled();
  }
}

const newest = (one: Side) => one.made.at(-1) ?? expect.fail('no connection was made');
const sentTracks = (one: Side) => newest(one).transceivers.map(({ sender }) => sender.track);

async function connectedPair() {
  const [newcomer, present] = [side(true), side(false)];
  newcomer.peer.offer();
  await talk(newcomer, present);
  for (const one of [newcomer, present]) newest(one).become('connected');
  await settled();
  return { newcomer, present };
}

test('a page that joins offers to send and receive before its devices are ready', async () => {
  const { peer, made, sent } = side(true);
  peer.offer();
  await settled();
  expect(made[0]?.transceivers.map((one) => one.direction)).toEqual(['sendrecv', 'sendrecv']);
  expect(sent[0]?.description?.type).toBe('offer');
});

test('the answering side adopts the offered transceivers and sends its own tracks on them', async () => {
  const { present } = await connectedPair();
  expect(newest(present).transceivers).toHaveLength(2);
  expect(newest(present).transceivers.map((one) => one.direction)).toEqual([
    'sendrecv',
    'sendrecv',
  ]);
  expect(sentTracks(present)).toEqual([present.tracks.audio, present.tracks.video]);
  expect(present.views.at(-1)?.state).toBe('connected');
});

test('of two simultaneous offers the impolite one wins, and one connection results', async () => {
  const [polite, impolite] = [side(true), side(false)];
  polite.peer.offer();
  impolite.peer.offer();
  await talk(polite, impolite);
  expect(impolite.made).toHaveLength(1);
  expect(polite.made[0]?.signalingState).toBe('closed');
  expect(newest(polite).signalingState).toBe('stable');
  expect(newest(impolite).signalingState).toBe('stable');
  expect(newest(impolite).remoteDescription?.sdp).toBe(newest(polite).localDescription?.sdp);
  expect(sentTracks(polite)).toEqual([polite.tracks.audio, polite.tracks.video]);
});

async function restartAtOnce(newcomer: Side, present: Side): Promise<void> {
  for (const one of [newcomer, present]) {
    newest(one).become('failed');
    newest(one).onnegotiationneeded?.(new Event('negotiationneeded'));
  }
  await settled();
}

test('two simultaneous ICE restarts result in one new connection: a rollback would freeze the video', async () => {
  const { newcomer, present } = await connectedPair();
  const [old] = newcomer.made;
  await restartAtOnce(newcomer, present);
  await talk(newcomer, present);
  expect([newcomer.made.length, present.made.length]).toEqual([2, 2]);
  expect(old?.signalingState).toBe('have-local-offer');
  expect(newest(present).remoteDescription?.sdp).toBe(newest(newcomer).localDescription?.sdp ?? '');
  for (const one of [newcomer, present]) {
    expect(newest(one).signalingState).toBe('stable');
    expect(sentTracks(one)).toEqual([one.tracks.audio, one.tracks.video]);
  }
});

test('a repeated offer for a replaced connection opens none', async () => {
  const { newcomer, present } = await connectedPair();
  await restartAtOnce(newcomer, present);
  const again = present.sent.slice();
  await talk(newcomer, present);
  for (const signal of again) await newcomer.peer.receive(signal);
  expect(newcomer.made).toHaveLength(2);
  expect(newcomer.sent).toEqual([]);
});

test('an offer that was lost on a dead socket is sent again when the other side resumes', async () => {
  const { newcomer, present } = await connectedPair();
  newest(present).onnegotiationneeded?.(new Event('negotiationneeded'));
  await settled();
  present.sent.length = 0;
  expect(newest(present).signalingState).toBe('have-local-offer');

  present.peer.resume('other');
  await talk(present, newcomer);
  expect(newest(present).signalingState).toBe('stable');
});

test('a side whose own socket resumes restarts ICE only if the connection is down', async () => {
  const { newcomer } = await connectedPair();
  newcomer.peer.resume('own');
  await settled();
  expect(newest(newcomer).restarts).toBe(0);
  newest(newcomer).connectionState = 'disconnected';
  newcomer.peer.resume('own');
  await settled();
  expect(newest(newcomer).restarts).toBe(1);
  expect(newcomer.sent[0]?.description?.type).toBe('offer');
});

test('a peer whose page reloaded gets a new connection, and its old video until then', async () => {
  const { present } = await connectedPair();
  const [old] = present.made;
  const oldPicture = present.views.at(-1)?.video;
  present.peer.expectOffer();

  const reloaded = side(true);
  reloaded.peer.offer();
  await talk(reloaded, present);
  expect(present.made).toHaveLength(2);
  expect(old?.connectionState).toBe('connected');
  expect(present.views.at(-1)?.video).toBe(oldPicture);

  newest(present).become('connected');
  await settled();
  expect(present.views.at(-1)?.video).not.toBe(oldPicture);
  // The other side may still show it.
  expect(old?.connectionState).toBe('connected');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(old?.connectionState).toBe('closed');
});

test('a connection that carries media survives a restart of the server; once it is down, an offer is made', async () => {
  const { present } = await connectedPair();
  present.peer.expectOffer();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(present.made).toHaveLength(1);
  newest(present).become('closed');
  present.peer.expectOffer();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(present.made).toHaveLength(2);
});

test('an answer or candidate for a replaced connection is not applied', async () => {
  const one = side(false);
  one.peer.offer();
  await settled();
  const id = one.sent[0]?.connection ?? '';
  one.peer.offer();
  await settled();
  await one.peer.receive({ connection: id, description: { type: 'answer', sdp: 'late' } });
  await one.peer.receive({ connection: id, candidate: { candidate: 'late' } });
  expect(newest(one).remoteDescription).toBeNull();
  expect(newest(one).candidates).toEqual([]);
});

test('a renegotiation offer for the page before this one opens no connection', async () => {
  const { newcomer, present } = await connectedPair();
  newest(newcomer).onnegotiationneeded?.(new Event('negotiationneeded'));
  await settled();
  const [offer] = newcomer.sent;
  expect(offer).toMatchObject({ again: true, description: { type: 'offer' } });

  const reloaded = side(false);
  await reloaded.peer.receive(offer ?? {});
  expect(reloaded.made).toHaveLength(0);
  await talk(newcomer, present);
  expect(newest(newcomer).signalingState).toBe('stable');
});

test('a peer makes an expected offer if none arrives in time', async () => {
  const one = side(false);
  one.peer.expectOffer();
  await vi.advanceTimersByTimeAsync(1_499);
  expect(one.made).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(one.sent[0]?.description?.type).toBe('offer');
});

test('a peer starts nothing while the other side is unreachable', async () => {
  const one = side(false);
  one.line.reachable = false;
  one.peer.expectOffer();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.made).toHaveLength(0);
  one.line.reachable = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(one.made).toHaveLength(1);
});

test('an offer whose connection is replaced while it is applied does not hold up the next one', async () => {
  const [newcomer, present] = [side(true), side(false)];
  present.onMade = (connection) => {
    connection.isBusy = true;
  };
  newcomer.peer.offer();
  await settled();
  const [first] = newcomer.sent.splice(0);
  void present.peer.receive(first ?? {});
  await settled();
  expect(present.made).toHaveLength(1);
  present.onMade = () => {};
  // It takes too long on a busy machine, so this side starts over.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(present.made[0]?.connectionState).toBe('closed');

  await talk(newcomer, present);
  expect(newest(newcomer).signalingState).toBe('stable');
  expect(newest(present).remoteDescription?.sdp).toBe(newest(newcomer).localDescription?.sdp);
});

test('after repeated failures the state is unreachable', async () => {
  const one = side(false);
  one.peer.offer();
  expect(one.views.at(-1)?.state).toBe('connecting');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(one.views.at(-1)?.state).toBe('unreachable');
});

test('a closed peer sends and starts nothing', async () => {
  const one = side(false);
  one.peer.offer();
  await settled();
  one.peer.close();
  one.sent.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.sent).toEqual([]);
  expect(one.made.every((connection) => connection.connectionState === 'closed')).toBe(true);
});

const sizes = (one: Side) =>
  newest(one).transceivers.map(
    ({ sender }) => sender.parameters.encodings[0]?.scaleResolutionDownBy ?? 1,
  );

test('both sides send a small video first, and full size once the connection has been used', async () => {
  const { newcomer, present } = await connectedPair();
  expect(sizes(newcomer)).toEqual([1, 2]);
  expect(sizes(present)).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sizes(newcomer)).toEqual([1, 1]);
  expect(sizes(present)).toEqual([1, 1]);

  newest(newcomer).become('failed');
  newest(newcomer).onnegotiationneeded?.(new Event('negotiationneeded'));
  await talk(newcomer, present);
  expect(sizes(present)).toEqual([1, 1]);
});
