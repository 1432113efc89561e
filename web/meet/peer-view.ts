import type { Link } from './link.ts';

export type PeerState = 'connecting' | 'connected' | 'interrupted' | 'unreachable';
/** What there is of another person: sound, picture, and how the way to them is. */
export type PeerView = { state: PeerState; audio: MediaStream | null; video: MediaStream | null };

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

/** The other side's sound and picture, each as a stream that stays the same for its track. */
function remoteTracks(link: Link | null) {
  const found: { audio: MediaStream | null; video: MediaStream | null } = {
    audio: null,
    video: null,
  };
  for (const { receiver } of link?.connection.getTransceivers() ?? []) {
    const { track } = receiver;
    if (track.kind === 'audio') found.audio = streamOf(track);
    else found.video = streamOf(track);
  }
  return found;
}

function streamOf(track: MediaStreamTrack): MediaStream {
  const stream = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, stream);
  return stream;
}
