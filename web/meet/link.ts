import type { Signal } from '#domain/calls/live.ts';
import type { Connection, Tracks } from './connection.ts';

/** One RTCPeerConnection and what its negotiation has to remember. */
export type Link = {
  readonly id: string;
  readonly connection: Connection;
  /** Says to the other side that picture and sound belong together. */
  readonly outgoing: MediaStream;
  /** This side made the first offer. */
  offeredFirst: boolean;
  /** A first answer was given or taken. */
  answered: boolean;
  /** An offer is being made. */
  offering: boolean;
  /** The other side's offer was set aside, so its candidates may not fit. */
  ignoring: boolean;
  wasConnected: boolean;
};

type LinkEvents = {
  onCandidate: (candidate: Signal['candidate']) => void;
  onNeeded: () => void;
  onState: () => void;
};

export function openLink(id: string, connection: Connection, events: LinkEvents): Link {
  connection.onicecandidate = ({ candidate }) => events.onCandidate(candidate?.toJSON() ?? null);
  connection.onnegotiationneeded = events.onNeeded;
  connection.onconnectionstatechange = events.onState;
  return {
    id,
    connection,
    outgoing: new MediaStream(),
    offeredFirst: false,
    answered: false,
    offering: false,
    ignoring: false,
    wasConnected: false,
  };
}

/** Puts the own tracks, or nothing, on the way out. Needs no negotiation. */
export function putTracks(link: Link, tracks: Tracks): void {
  for (const { sender, receiver } of link.connection.getTransceivers()) {
    const track = receiver.track.kind === 'audio' ? tracks.audio : tracks.video;
    sender.replaceTrack(track).catch((error) => {
      console.warn('rapport: a track could not be sent', error);
    });
  }
}

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

/** The other side's sound and picture, each as a stream that stays the same for its track. */
export function remoteTracks(link: Link | null) {
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
