import { type RemoteParticipant, type RemoteTrack, Track } from 'livekit-client';
import type { PeerState, PeerView } from '../peer-view.ts';

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

/** Returns the same stream for a track each time, so that a video element keeps playing. */
export function streamOf(track: MediaStreamTrack): MediaStream {
  const stream = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, stream);
  return stream;
}

const trackOf = (person: RemoteParticipant | undefined, source: Track.Source) =>
  person?.getTrackPublication(source)?.track as RemoteTrack | undefined;

/** Returns the tracks received from a participant through the SFU. */
export function remoteView(person: RemoteParticipant | undefined, state: PeerState): PeerView {
  const found = (source: Track.Source) => {
    const track = trackOf(person, source);
    return track ? streamOf(track.mediaStreamTrack) : null;
  };
  return {
    state,
    audio: found(Track.Source.Microphone),
    audioReceiver: trackOf(person, Track.Source.Microphone)?.receiver ?? null,
    video: found(Track.Source.Camera),
    screen: found(Track.Source.ScreenShare),
    screenAudio: found(Track.Source.ScreenShareAudio),
  };
}

/** Whether media of this participant flow, so that the previous transport may be closed. */
export function hasArrived(
  person: RemoteParticipant | undefined,
  wanted: { audio: boolean; video: boolean },
): boolean {
  const flows = (source: Track.Source) => trackOf(person, source)?.mediaStreamTrack.muted === false;
  if (wanted.video) return flows(Track.Source.Camera);
  return !wanted.audio || flows(Track.Source.Microphone);
}
