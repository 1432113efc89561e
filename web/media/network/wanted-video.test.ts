// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import { fakePerson } from '#web/live/fake-person.ts';
import { greet } from '#web/live/fake-web-socket.ts';
import { FakeConnection } from '../fakes.ts';
import { openPeerConnection } from '../mesh/peer-connection.ts';
import type { MeetingConnections } from './meeting-connections.ts';
import { Network } from './network.ts';
import { reportWantedVideo } from './wanted-video.ts';

const bo = fakePerson('bo', { name: 'Bo' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows none of Bo's videos, and its connection to him. */
function watch() {
  const noEvents = { onCandidate: () => {}, onNeeded: () => {}, onState: () => {} };
  const way = { connection: new FakeConnection(), outgoing: new MediaStream() };
  const pc = openPeerConnection('c1', way, noEvents);
  pc.wasConnected = true;
  const view = { state: 'connected', audio: null, video: new MediaStream(), screen: null } as const;
  const said: ToServer[] = [];
  let hear: (message: ToBrowser) => void = () => {};
  const state: Pick<ReturnType<MeetingConnections['getSnapshot']>, 'views' | 'roster'> = {
    views: new Map([['bo', { ...view, audioReceiver: null, screenAudio: null }]]),
    roster: { self: 'me', participants: [bo], missing: [] },
  };
  const stop = reportWantedVideo(
    {
      getSnapshot: () => state,
      subscribe: () => () => {},
      peerConnections: new Map([['bo', pc]]),
      send: (message: ToServer) => said.push(message) > 0,
      onMessage: (listener: (message: ToBrowser) => void) => {
        hear = listener;
      },
    },
    new Network(),
  );
  return { said, stop, hear: (message: ToBrowser) => hear(message) };
}
const unwatched = { type: 'watch', to: 'bo', camera: false, screen: true };

test('a video that is not shown is reported as unwanted once', () => {
  const { said, stop } = watch();
  vi.advanceTimersByTime(5_000);
  expect(said).toEqual([unwatched]);
  stop();
});

test('after a restart of the server the report is sent again, since it may be lost', () => {
  const { said, stop, hear } = watch();
  vi.advanceTimersByTime(2_000);
  said.length = 0;
  hear(greet({ session: 's2' }));
  expect(said).toEqual([unwatched]);
  hear({ type: 'joined', sequence: 1, participant: bo });
  expect(said).toEqual([unwatched, unwatched]);
  hear(greet({ session: 's2', resumed: true }));
  expect(said).toHaveLength(2);
  stop();
});
