import type { Signal, Welcome } from '#domain/calls/live.ts';
import { beginOffer, type EarlyOffer, sayOffer } from '../early/early-offer.ts';
import { started } from '../early/started.ts';

/**
 * The parts of WebRTC that a peer uses, as narrow interfaces: RTCPeerConnection fits them, and so
 * does a test's own.
 */
export interface Sender {
  replaceTrack(track: MediaStreamTrack | null): Promise<void>;
  setStreams?(...streams: MediaStream[]): void;
  getParameters(): RTCRtpSendParameters;
  setParameters(parameters: RTCRtpSendParameters): Promise<void>;
}

export interface Receiver {
  readonly track: MediaStreamTrack;
  getSynchronizationSources?(): { timestamp: number; audioLevel?: number }[];
}

export interface Transceiver {
  readonly sender: Sender;
  readonly receiver: Receiver;
  direction: RTCRtpTransceiverDirection;
  readonly currentDirection: RTCRtpTransceiverDirection | null;
}

export interface Connection {
  readonly connectionState: RTCPeerConnectionState;
  readonly signalingState: RTCSignalingState;
  readonly localDescription: RTCSessionDescription | RTCSessionDescriptionInit | null;
  onicecandidate: ((event: RTCPeerConnectionIceEvent) => void) | null;
  onnegotiationneeded: ((event: Event) => void) | null;
  onconnectionstatechange: ((event: Event) => void) | null;
  addTransceiver(kind: 'audio' | 'video', init: RTCRtpTransceiverInit): Transceiver;
  getTransceivers(): Transceiver[];
  setLocalDescription(): Promise<void>;
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>;
  addIceCandidate(candidate?: RTCIceCandidateInit): Promise<void>;
  restartIce(): void;
  getStats(): Promise<RTCStatsReport>;
  close(): void;
}

/** What a person sends: sound and picture, and a shared screen with its sound. */
export type Tracks = Record<'audio' | 'video' | 'screen' | 'screenSound', MediaStreamTrack | null>;

export type IceServers = Welcome['iceServers'];

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
