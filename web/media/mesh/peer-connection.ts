import type { Signal } from '#domain/calls/signal.ts';
import type { VideoLevel } from '../network/network-level.ts';
import type { Connection, Tracks, Transceiver } from '../webrtc.ts';

/** An RTCPeerConnection with the state that its negotiation has to remember. */
export type PeerConnection = {
  readonly id: string;
  readonly connection: Connection;
  /** Groups microphone and camera for the other side. */
  readonly outgoing: MediaStream;
  /** The transceivers of this page's screen share, from the first share on. */
  readonly screen: { video: Transceiver | null; audio: Transceiver | null };
  readonly screenOutgoing: MediaStream;
  /** This side made the first offer. */
  offeredFirst: boolean;
  /** A first answer was sent or received. */
  answered: boolean;
  /** An offer is being made. */
  offering: boolean;
  /** The other side's offer was ignored, so its candidates may not fit. */
  ignoring: boolean;
  wasConnected: boolean;
  /** How much of this page's camera video is sent. */
  level: VideoLevel;
  /** Which of this page's videos the other page shows. */
  wanted: { camera: boolean; screen: boolean };
  /** This page shows the other participant's camera video. */
  showsVideo: boolean;
};

type PeerConnectionEvents = {
  onCandidate: (candidate: Signal['candidate']) => void;
  onNeeded: () => void;
  onState: () => void;
};

export function openPeerConnection(
  id: string,
  { connection, outgoing }: Pick<PeerConnection, 'connection' | 'outgoing'>,
  events: PeerConnectionEvents,
): PeerConnection {
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
    level: 'full',
    wanted: { camera: true, screen: true },
    showsVideo: true,
  };
}

/** The transceivers of microphone and camera: the first offer has them first, a screen share follows. */
export function personTransceivers({ connection }: PeerConnection): {
  audio?: Transceiver;
  video?: Transceiver;
} {
  const found: { audio?: Transceiver; video?: Transceiver } = {};
  for (const transceiver of connection.getTransceivers()) {
    found[transceiver.receiver.track.kind === 'audio' ? 'audio' : 'video'] ??= transceiver;
  }
  return found;
}

/** Sends this page's tracks, or nothing. Only a screen share that starts or ends needs negotiation. */
export function putTracks(pc: PeerConnection, tracks: Tracks): void {
  const { audio, video } = personTransceivers(pc);
  if (audio) replaceTrack(audio, tracks.audio);
  if (video) replaceTrack(video, tracks.video);
  // Before the first description, a transceiver of the screen would precede those of microphone and
  // camera.
  if (!pc.offeredFirst && !pc.answered) return;
  putScreen(pc, 'video', tracks.screen);
  putScreen(pc, 'audio', tracks.screenAudio);
}

function putScreen(
  pc: PeerConnection,
  kind: 'audio' | 'video',
  track: MediaStreamTrack | null,
): void {
  const transceiver = pc.screen[kind];
  if (transceiver === null && track !== null) {
    const streams = [pc.screenOutgoing];
    const made = pc.connection.addTransceiver(kind, { direction: 'sendonly', streams });
    pc.screen[kind] = made;
    replaceTrack(made, track);
  } else if (transceiver !== null) {
    const direction = track === null ? 'inactive' : 'sendonly';
    if (transceiver.direction !== direction) transceiver.direction = direction;
    replaceTrack(transceiver, track);
  }
}

function replaceTrack({ sender }: Transceiver, track: MediaStreamTrack | null): void {
  sender.replaceTrack(track).catch((error) => {
    console.warn('rapport: a track could not be sent', error);
  });
}

/** Adds a candidate of the other side; null is the end of its candidates. */
export async function addCandidate(
  pc: PeerConnection,
  candidate: Signal['candidate'],
): Promise<void> {
  try {
    await pc.connection.addIceCandidate(candidate ? asInit(candidate) : undefined);
  } catch (error) {
    if (!pc.ignoring) throw error;
  }
}

function asInit({
  candidate = '',
  sdpMid = null,
  sdpMLineIndex = null,
  usernameFragment = null,
}: NonNullable<Signal['candidate']>): RTCIceCandidateInit {
  return { candidate, sdpMid, sdpMLineIndex, usernameFragment };
}

/** Resolves when the other side's video arrives, and after `waitMs` at the latest. */
export function videoArrives(pc: PeerConnection, waitMs: number): Promise<void> {
  const tracks = pc.connection.getTransceivers().map(({ receiver }) => receiver.track);
  const track = tracks.find(({ kind }) => kind === 'video');
  if (track === undefined || !track.muted) return Promise.resolve();
  return new Promise((resolve) => {
    track.addEventListener('unmute', () => resolve(), { once: true });
    setTimeout(resolve, waitMs);
  });
}
