import type { Welcome } from '#domain/calls/live.ts';

/**
 * The parts of WebRTC that a peer uses, as narrow interfaces that RTCPeerConnection and a test's
 * fake both implement.
 */
export interface Sender {
  replaceTrack(track: MediaStreamTrack | null): Promise<void>;
  setStreams?(...streams: MediaStream[]): void;
  getParameters(): RTCRtpSendParameters;
  setParameters(parameters: RTCRtpSendParameters): Promise<void>;
}

export interface Receiver {
  readonly track: MediaStreamTrack;
  getSynchronizationSources?(): {
    source: number;
    timestamp: number;
    rtpTimestamp: number;
    audioLevel?: number;
  }[];
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

/** What a participant sends: audio and video, and a screen share with its audio. */
export type Tracks = Record<'audio' | 'video' | 'screen' | 'screenAudio', MediaStreamTrack | null>;

export type IceServers = Welcome['iceServers'];
