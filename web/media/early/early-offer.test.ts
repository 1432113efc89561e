// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Signal } from '#domain/calls/signal.ts';
import { FakeConnection } from '../fakes.ts';
import { Peer } from '../mesh/peer.ts';
import { beginOffer, sendEarly } from './early-offer.ts';

const found = (connection: FakeConnection, line: string) =>
  connection.onicecandidate?.({
    candidate: { toJSON: () => ({ candidate: line }) },
  } as unknown as RTCPeerConnectionIceEvent);

function peerWith(early: ReturnType<typeof beginOffer>) {
  const sent: Signal[] = [];
  const peer = new Peer({
    polite: true,
    reachable: () => true,
    makeConnection: () => new FakeConnection(),
    beginOffer: () => early,
    newId: () => 'another',
    send: (signal) => sent.push(signal) > 0,
    tracks: () => ({ audio: null, video: null, screen: null, screenAudio: null }),
    onView: () => {},
  });
  return { peer, sent };
}

test('an offer that the hello carried is not sent again; candidates found since are', async () => {
  const connection = new FakeConnection();
  const early = beginOffer(connection);
  await early.described;
  found(connection, 'in the description');
  const said = sendEarly(early);
  found(connection, 'since');
  const { peer, sent } = peerWith(early);
  await peer.offer(true);
  found(connection, 'later');
  expect(said?.description?.sdp).toBe(connection.localDescription?.sdp);
  expect(sent).toEqual(
    ['since', 'later'].map((candidate) => ({ connection: early.id, candidate: { candidate } })),
  );
  await peer.receive({ connection: early.id, description: { type: 'answer', sdp: 'theirs' } });
  expect(connection.signalingState).toBe('stable');
});

test('an offer that the server did not pass on is sent as a new one', async () => {
  const early = beginOffer(new FakeConnection());
  await early.described;
  sendEarly(early);
  const { peer, sent } = peerWith(early);
  await peer.offer();
  expect(sent).toMatchObject([{ connection: 'another', description: { type: 'offer' } }]);
});

test('an offer for a participant who did not receive the early one uses a new connection id', async () => {
  const early = beginOffer(new FakeConnection());
  const { peer, sent } = peerWith(early);
  await peer.offer(true);
  expect(sent).toMatchObject([{ connection: 'another', description: { type: 'offer' } }]);
});

test('a hello carries no offer before the local description is set', () => {
  const connection = new FakeConnection();
  connection.setLocalDescription = () => new Promise(() => {});
  expect(sendEarly(beginOffer(connection))).toBeNull();
});
