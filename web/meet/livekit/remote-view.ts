import { type RemoteParticipant, type RemoteTrack, Track } from 'livekit-client';
import type { PeerState, PeerView } from '../paths/peer-view.ts';

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

/** The same stream for the same track, so that a picture that plays goes on playing. */
export function streamOf(track: MediaStreamTrack): MediaStream {
  const stream = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, stream);
  return stream;
}

const trackOf = (person: RemoteParticipant | undefined, source: Track.Source) =>
  person?.getTrackPublication(source)?.track as RemoteTrack | undefined;

/** What comes of another person by the media server. */
export function remoteView(person: RemoteParticipant | undefined, state: PeerState): PeerView {
  const found = (source: Track.Source) => {
    const track = trackOf(person, source);
    return track ? streamOf(track.mediaStreamTrack) : null;
  };
  return {
    state,
    audio: found(Track.Source.Microphone),
    hearing: trackOf(person, Track.Source.Microphone)?.receiver ?? null,
    video: found(Track.Source.Camera),
    screen: found(Track.Source.ScreenShare),
    screenSound: found(Track.Source.ScreenShareAudio),
  };
}

/** Whether media of this person flow, so that an older way to them may be left. */
export function hasArrived(
  person: RemoteParticipant | undefined,
  wanted: { audio: boolean; video: boolean },
): boolean {
  const flows = (source: Track.Source) => trackOf(person, source)?.mediaStreamTrack.muted === false;
  if (wanted.video) return flows(Track.Source.Camera);
  return !wanted.audio || flows(Track.Source.Microphone);
}
