import type { Connection } from '../webrtc.ts';

/** Silence of a microphone is sent at least as often (Opus DTX: every 400 ms), so a longer pause is a loss. */
const pauseMs = 600;

interface Heard {
  /** The newest packets of all its tracks. */
  packets: string;
  changedAt: number;
}

/** Notices whether packets arrive on connections. Cheaper than `getStats`, so that it can be asked often. */
export class Packets {
  readonly #heard = new WeakMap<Connection, Heard>();

  /**
   * Returns whether packets have arrived on each connection in the last moments. Ask at least every half second:
   * only what has changed since the last time counts.
   */
  arriveOn(connections: readonly Connection[]): boolean {
    const now = performance.now();
    const arrives = connections.map((connection) => this.#arrivesOn(connection, now));
    return arrives.length > 0 && arrives.every(Boolean);
  }

  #arrivesOn(connection: Connection, now: number): boolean {
    const packets = newestOf(connection);
    const before = this.#heard.get(connection);
    if (packets !== before?.packets) {
      this.#heard.set(connection, { packets, changedAt: now });
      // What is asked about for the first time may have stopped long ago.
      return before !== undefined;
    }
    return packets !== '' && now - before.changedAt < pauseMs;
  }
}

/** The contributing sources of a receiver are those of the last ten seconds (W3C webrtc, section 5.3). */
const newestOf = (connection: Connection): string =>
  connection
    .getTransceivers()
    .flatMap(({ receiver }) => receiver.getSynchronizationSources?.() ?? [])
    .map(({ source, rtpTimestamp }) => `${source} ${rtpTimestamp}`)
    .join();
