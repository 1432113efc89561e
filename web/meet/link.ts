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

export function openLink(
  id: string,
  { connection, outgoing }: Pick<Link, 'connection' | 'outgoing'>,
  events: LinkEvents,
): Link {
  connection.onicecandidate = ({ candidate }) => events.onCandidate(candidate?.toJSON() ?? null);
  connection.onnegotiationneeded = events.onNeeded;
  connection.onconnectionstatechange = events.onState;
  return {
    id,
    connection,
    outgoing,
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

/** Adds the other side's candidate, or null, the end of them. */
export async function addCandidate(link: Link, candidate: Signal['candidate']): Promise<void> {
  try {
    await link.connection.addIceCandidate(candidate ? asInit(candidate) : undefined);
  } catch (error) {
    if (!link.ignoring) throw error;
  }
}

function asInit(candidate: NonNullable<Signal['candidate']>): RTCIceCandidateInit {
  const { candidate: line = '', sdpMid = null, sdpMLineIndex = null } = candidate;
  return {
    candidate: line,
    sdpMid,
    sdpMLineIndex,
    usernameFragment: candidate.usernameFragment ?? null,
  };
}

/** Resolves when the other side's picture arrives, or when it has been waited for long enough. */
export function pictureArrives(link: Link, waitMs: number): Promise<void> {
  const tracks = link.connection.getTransceivers().map(({ receiver }) => receiver.track);
  const track = tracks.find(({ kind }) => kind === 'video');
  if (track === undefined || !track.muted) return Promise.resolve();
  return new Promise((resolve) => {
    track.addEventListener('unmute', () => resolve(), { once: true });
    setTimeout(resolve, waitMs);
  });
}
