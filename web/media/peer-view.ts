import { type PeerConnection, personTransceivers } from './mesh/peer-connection.ts';
import type { Receiver } from './webrtc.ts';

export type PeerState = 'connecting' | 'connected' | 'interrupted' | 'unreachable';
/** The tracks received from another participant, and the state of the connection to them. */
export type PeerView = {
  state: PeerState;
  audio: MediaStream | null;
  /** The receiver of `audio`, which measures its level. */
  audioReceiver: Receiver | null;
  video: MediaStream | null;
  screen: MediaStream | null;
  screenAudio: MediaStream | null;
};

type History = { everConnected: boolean; failures: number };

/** After this many failed attempts the page explains why there may be no connection. */
const manyFailures = 2;

export function viewOf(pc: PeerConnection | null, history: History): PeerView {
  return { state: stateOf(pc, history), ...remoteTracks(pc) };
}

function stateOf(pc: PeerConnection | null, { everConnected, failures }: History): PeerState {
  if (pc?.connection.connectionState === 'connected') return 'connected';
  if (everConnected) return 'interrupted';
  return failures >= manyFailures ? 'unreachable' : 'connecting';
}

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

type Streams = Omit<PeerView, 'state'>;

/** What the other side sends. Returns the same stream for a track each time. */
function remoteTracks(pc: PeerConnection | null): Streams {
  const found: Streams = {
    audio: null,
    audioReceiver: null,
    video: null,
    screen: null,
    screenAudio: null,
  };
  if (pc === null) return found;
  const { audio, video } = personTransceivers(pc);
  if (audio) {
    found.audioReceiver = audio.receiver;
    found.audio = streamOf(audio.receiver.track);
  }
  if (video) found.video = streamOf(video.receiver.track);
  for (const transceiver of pc.connection.getTransceivers()) {
    const { receiver, currentDirection } = transceiver;
    if (transceiver === audio || transceiver === video || currentDirection !== 'recvonly') continue;
    if (receiver.track.kind === 'audio') found.screenAudio = streamOf(receiver.track);
    else found.screen = streamOf(receiver.track);
  }
  return found;
}

function streamOf(track: MediaStreamTrack): MediaStream {
  const stream = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, stream);
  return stream;
}
