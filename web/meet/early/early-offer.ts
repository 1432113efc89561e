import type { Signal } from '#domain/calls/live.ts';
import { smallFirst } from '../paths/picture-size.ts';
import type { Connection } from '../paths/webrtc.ts';

/** A connection that is describing itself for an offer. */
export type EarlyOffer = {
  readonly connection: Connection;
  /** Says to the other side that picture and sound belong together. */
  readonly outgoing: MediaStream;
  /** Settles when `localDescription` is there. */
  readonly described: Promise<void>;
  /** Names the connection where the offer goes out with a hello. */
  readonly id: string;
  /** What was found since the description was said, while nobody else listens to the connection. */
  found: Signal['candidate'][];
  /** The offer went out with a hello. */
  isSaid: boolean;
};

/** Begins to offer sound and picture, both ways. The tracks come later: that needs no negotiation. */
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
    isSaid: false,
  };
  connection.onicecandidate = ({ candidate }) => early.found.push(candidate?.toJSON() ?? null);
  return early;
}

/** The offer as a hello takes it along, or null while the browser still describes it. */
export function sayOffer(early: EarlyOffer): Signal | null {
  const { localDescription } = early.connection;
  if (localDescription === null) return null;
  early.isSaid = true;
  early.found = [];
  const { type, sdp } = localDescription;
  return { connection: early.id, description: { type, sdp } };
}
