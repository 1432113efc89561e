import type { Signal } from '#domain/calls/signal.ts';
import { beginOffer, type EarlyOffer, sendEarly } from '../early/early-offer.ts';
import { started } from '../early/started.ts';
import type { IceServers } from '../webrtc.ts';

/**
 * Makes RTCPeerConnections. The first offer is made before it is needed: it takes 20 ms in a
 * browser that is starting its devices, and these pass while the server answers the hello.
 */
export class ConnectionMaker {
  #early: EarlyOffer | null = null;
  #spare: RTCPeerConnection | null = null;
  #iceServers: RTCIceServer[] = [];

  warmUp(): void {
    this.#early = started().offer ?? beginOffer(new RTCPeerConnection());
    this.#early.described.catch(() => {
      // The peer that uses it handles the same error.
    });
  }

  /** The first offer, for a hello to carry; null if there is none. */
  earlyOffer = (): Signal | null => (this.#early ? sendEarly(this.#early) : null);

  use(iceServers: IceServers): void {
    this.#iceServers = iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
    this.#spare?.close();
    this.#spare = null;
    // It has gathered its candidates already, without these servers.
    if (iceServers.length > 0) this.#dropEarly();
  }

  /**
   * Another page is about to offer: makes the connection that `make` will return. The early offer
   * is no longer needed.
   */
  prepare = (): void => {
    this.#dropEarly();
    this.#spare ??= new RTCPeerConnection({ iceServers: this.#iceServers });
  };

  /** A connection for the offer of another page. */
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
