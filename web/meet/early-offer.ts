import type { Connection } from './connection.ts';
import { smallFirst } from './picture-size.ts';

/** A connection that is describing itself for an offer. */
export type EarlyOffer = {
  readonly connection: Connection;
  /** Says to the other side that picture and sound belong together. */
  readonly outgoing: MediaStream;
  /** Settles when `localDescription` is there. */
  readonly described: Promise<void>;
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
  return { connection, outgoing, described: connection.setLocalDescription() };
}
