import type { Signal } from '#domain/calls/live.ts';
import { beginOffer, type EarlyOffer, sayOffer } from '../early/early-offer.ts';
import { started } from '../early/started.ts';
import type { IceServers } from './webrtc.ts';

/**
 * Makes connections. The first offer is made ahead of need: it takes a browser that is starting its
 * devices 20 ms, and they pass while the server is asked who is there.
 */
export class ConnectionMaker {
  #early: EarlyOffer | null = null;
  #spare: RTCPeerConnection | null = null;
  #iceServers: RTCIceServer[] = [];

  warmUp(): void {
    this.#early = started().offer ?? beginOffer(new RTCPeerConnection());
    this.#early.described.catch(() => {
      // Who takes it sees the same refusal.
    });
  }

  /** The first offer, for a hello to take along; null where there is none, or not yet. */
  say = (): Signal | null => (this.#early ? sayOffer(this.#early) : null);

  use(iceServers: IceServers): void {
    this.#iceServers = iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
    this.#spare?.close();
    this.#spare = null;
    // It has looked for its addresses already, and asked none of these.
    if (iceServers.length > 0) this.#dropEarly();
  }

  /**
   * Somebody is about to offer: what `make` answers is made now. Nobody is waiting to be offered to any
   * longer: the early offer goes.
   */
  prepare = (): void => {
    this.#dropEarly();
    this.#spare ??= new RTCPeerConnection({ iceServers: this.#iceServers });
  };

  /** For somebody who offers. */
  make = (): RTCPeerConnection => {
    this.prepare();
    const made = this.#spare ?? new RTCPeerConnection({ iceServers: this.#iceServers });
    this.#spare = null;
    return made;
  };

  beginOffer = (): EarlyOffer => {
    const early =
      this.#early ?? beginOffer(new RTCPeerConnection({ iceServers: this.#iceServers }));
    this.#early = null;
    return early;
  };

  #dropEarly(): void {
    this.#early?.connection.close();
    this.#early = null;
  }
}
