import type { Welcome } from '#domain/calls/live.ts';

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

export interface Transceiver {
  readonly sender: Sender;
  readonly receiver: { readonly track: MediaStreamTrack };
  direction: RTCRtpTransceiverDirection;
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
  close(): void;
}

export type Tracks = { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };

export type IceServers = Welcome['iceServers'];

/**
 * Makes connections, the first of them ahead of need: it takes a few milliseconds to make one and
 * to describe it, and they pass while the server is asked who is there.
 */
export class ConnectionMaker {
  #warm: RTCPeerConnection | null = null;
  #iceServers: RTCIceServer[] = [];

  warmUp(): void {
    this.#warm = new RTCPeerConnection();
  }

  use(iceServers: IceServers): void {
    this.#iceServers = iceServers.map(({ urls, username, credential }) => ({
      urls,
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
  }

  make = (): RTCPeerConnection => {
    const warm = this.#warm;
    this.#warm = null;
    if (warm === null) return new RTCPeerConnection({ iceServers: this.#iceServers });
    warm.setConfiguration({ iceServers: this.#iceServers });
    return warm;
  };
}
