import type { Signal } from '#domain/calls/live.ts';
import type { PictureLevel } from '../network/network-level.ts';
import type { Connection, Tracks, Transceiver } from './webrtc.ts';

/** One RTCPeerConnection and what its negotiation has to remember. */
export type Link = {
  readonly id: string;
  readonly connection: Connection;
  /** Says to the other side that picture and sound belong together. */
  readonly outgoing: MediaStream;
  /** The ways of the own screen and its sound, from the first time that it was shared. */
  readonly screen: { video: Transceiver | null; audio: Transceiver | null };
  readonly screenOutgoing: MediaStream;
  /** This side made the first offer. */
  offeredFirst: boolean;
  /** A first answer was given or taken. */
  answered: boolean;
  /** An offer is being made. */
  offering: boolean;
  /** The other side's offer was set aside, so its candidates may not fit. */
  ignoring: boolean;
  wasConnected: boolean;
  /** How much of the own picture the path is given. */
  picture: PictureLevel;
  /** What the other page shows of the own pictures, and this page of the other's. */
  watched: { camera: boolean; screen: boolean };
  showsPicture: boolean;
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
    screen: { video: null, audio: null },
    screenOutgoing: new MediaStream(),
    offeredFirst: false,
    answered: false,
    offering: false,
    ignoring: false,
    wasConnected: false,
    picture: 'full',
    watched: { camera: true, screen: true },
    showsPicture: true,
  };
}

/** The ways of a person's sound and picture, which the first offer has first; a screen comes behind them. */
export function personWays({ connection }: Link): { audio?: Transceiver; video?: Transceiver } {
  const ways: { audio?: Transceiver; video?: Transceiver } = {};
  for (const way of connection.getTransceivers()) {
    ways[way.receiver.track.kind === 'audio' ? 'audio' : 'video'] ??= way;
  }
  return ways;
}

/** Puts the own tracks, or nothing, on the way out. Only a screen that begins or ends needs negotiation. */
export function putTracks(link: Link, tracks: Tracks): void {
  const { audio, video } = personWays(link);
  if (audio) replaceTrack(audio, tracks.audio);
  if (video) replaceTrack(video, tracks.video);
  // Before the first description a way of its own would come first.
  if (!link.offeredFirst && !link.answered) return;
  putScreen(link, 'video', tracks.screen);
  putScreen(link, 'audio', tracks.screenSound);
}

function putScreen(link: Link, kind: 'audio' | 'video', track: MediaStreamTrack | null): void {
  const way = link.screen[kind];
  if (way === null && track !== null) {
    const streams = [link.screenOutgoing];
    const made = link.connection.addTransceiver(kind, { direction: 'sendonly', streams });
    link.screen[kind] = made;
    replaceTrack(made, track);
  } else if (way !== null) {
    const direction = track === null ? 'inactive' : 'sendonly';
    if (way.direction !== direction) way.direction = direction;
    replaceTrack(way, track);
  }
}

function replaceTrack({ sender }: Transceiver, track: MediaStreamTrack | null): void {
  sender.replaceTrack(track).catch((error) => {
    console.warn('rapport: a track could not be sent', error);
  });
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
