import { type Link, personWays } from './link.ts';
import type { Receiver } from './webrtc.ts';

export type PeerState = 'connecting' | 'connected' | 'interrupted' | 'unreachable';
/** What there is of another person: sound, picture, a shared screen, and how the way to them is. */
export type PeerView = {
  state: PeerState;
  audio: MediaStream | null;
  /** Of the sound: knows how loud it is. */
  hearing: Receiver | null;
  video: MediaStream | null;
  screen: MediaStream | null;
  screenSound: MediaStream | null;
};

type History = { everConnected: boolean; failures: number };

/** After so many fruitless attempts the person is told why there may be no path. */
const manyFailures = 2;

export function viewOf(link: Link | null, history: History): PeerView {
  return { state: stateOf(link, history), ...remoteTracks(link) };
}

function stateOf(link: Link | null, { everConnected, failures }: History): PeerState {
  if (link?.connection.connectionState === 'connected') return 'connected';
  if (everConnected) return 'interrupted';
  return failures >= manyFailures ? 'unreachable' : 'connecting';
}

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

type Streams = Omit<PeerView, 'state'>;

/** What the other side sends, each as a stream that stays the same for its track. */
function remoteTracks(link: Link | null): Streams {
  const found: Streams = {
    audio: null,
    hearing: null,
    video: null,
    screen: null,
    screenSound: null,
  };
  if (link === null) return found;
  const { audio, video } = personWays(link);
  if (audio) {
    found.hearing = audio.receiver;
    found.audio = streamOf(audio.receiver.track);
  }
  if (video) found.video = streamOf(video.receiver.track);
  for (const way of link.connection.getTransceivers()) {
    const { receiver, currentDirection } = way;
    if (way === audio || way === video || currentDirection !== 'recvonly') continue;
    if (receiver.track.kind === 'audio') found.screenSound = streamOf(receiver.track);
    else found.screen = streamOf(receiver.track);
  }
  return found;
}

function streamOf(track: MediaStreamTrack): MediaStream {
  const stream = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, stream);
  return stream;
}
