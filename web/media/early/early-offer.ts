import type { Signal } from '#domain/calls/signal.ts';
import { smallFirst } from '../mesh/sent-video.ts';
import type { Connection } from '../webrtc.ts';

/** A connection whose first offer is made before it is needed. */
export type EarlyOffer = {
  readonly connection: Connection;
  /** Groups microphone and camera for the other side. */
  readonly outgoing: MediaStream;
  /** Settles when `localDescription` is set. */
  readonly described: Promise<void>;
  /** The id of the connection if a hello carries the offer. */
  readonly id: string;
  /** Candidates found since the offer was sent, until a peer handles the connection's events. */
  found: Signal['candidate'][];
  /** A hello has carried the offer. */
  isSent: boolean;
};

/** Makes an offer of audio and video in both directions. Tracks are added later, without negotiation. */
export function beginOffer(connection: Connection): EarlyOffer {
  const outgoing = new MediaStream();
  for (const kind of ['audio', 'video'] as const) {
    connection.addTransceiver(kind, {
      direction: 'sendrecv',
      streams: [outgoing],
      ...(kind === 'video' && { sendEncodings: smallFirst }),
    });
  }
  const early: EarlyOffer = {
    connection,
    outgoing,
    described: connection.setLocalDescription(),
    id: Math.random().toString(36).slice(2),
    found: [],
    isSent: false,
  };
  connection.onicecandidate = ({ candidate }) => early.found.push(candidate?.toJSON() ?? null);
  return early;
}

/** Returns the offer for a hello to carry, or null while the browser is still making it. */
export function sendEarly(early: EarlyOffer): Signal | null {
  const { localDescription } = early.connection;
  if (localDescription === null) return null;
  early.isSent = true;
  early.found = [];
  const { type, sdp } = localDescription;
  return { connection: early.id, description: { type, sdp } };
}
