import type { Connection, Receiver, Sender, Transceiver } from './webrtc.ts';

/** Fakes of browser objects, for the tests in this folder. */
export class FakeTrack extends EventTarget implements MediaStreamTrack {
  readonly id = crypto.randomUUID();
  readonly label = '';
  readonly kind: 'audio' | 'video';
  contentHint = '';
  enabled = true;
  muted = false;
  readyState: MediaStreamTrackState = 'live';
  onended = null;
  onmute = null;
  onunmute = null;

  constructor(kind: 'audio' | 'video') {
    super();
    this.kind = kind;
  }

  stop(): void {
    this.readyState = 'ended';
  }
  clone = () => new FakeTrack(this.kind);
  applyConstraints = async () => {};
  getCapabilities = () => ({});
  getConstraints = () => ({});
  getSettings = () => ({ deviceId: `${this.kind}-1` });
}

class FakeSender implements Sender {
  track: MediaStreamTrack | null = null;
  parameters: RTCRtpSendParameters = {
    transactionId: '',
    codecs: [],
    headerExtensions: [],
    rtcp: {},
    encodings: [{}],
  };
  getParameters = () => structuredClone(this.parameters);
  async setParameters(parameters: RTCRtpSendParameters): Promise<void> {
    this.parameters = parameters;
  }
  async replaceTrack(track: MediaStreamTrack | null): Promise<void> {
    this.track = track;
  }
}

export class FakeTransceiver implements Transceiver {
  readonly sender = new FakeSender();
  readonly receiver: Receiver & { track: FakeTrack };
  direction: RTCRtpTransceiverDirection = 'recvonly';
  currentDirection: RTCRtpTransceiverDirection | null = null;
  constructor(kind: 'audio' | 'video') {
    this.receiver = { track: new FakeTrack(kind) };
  }
}

let described = 0;

/** A connection with the signaling states of WebRTC 1.0, 4.3.1, and nothing behind them. */
export class FakeConnection implements Connection {
  connectionState: RTCPeerConnectionState = 'new';
  signalingState: RTCSignalingState = 'stable';
  localDescription: RTCSessionDescriptionInit | null = null;
  remoteDescription: RTCSessionDescriptionInit | null = null;
  onicecandidate: Connection['onicecandidate'] = null;
  onnegotiationneeded: Connection['onnegotiationneeded'] = null;
  onconnectionstatechange: Connection['onconnectionstatechange'] = null;
  readonly transceivers: FakeTransceiver[] = [];
  readonly candidates: (RTCIceCandidateInit | undefined)[] = [];
  restarts = 0;
  /** Descriptions take until `work` is called, and forever if the connection is closed before, as in browsers. */
  isBusy = false;
  #waiting: (() => void)[] = [];

  work(): void {
    this.isBusy = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #idle(): Promise<void> {
    if (this.isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.connectionState === 'closed') await new Promise<never>(() => {});
  }

  addTransceiver(kind: 'audio' | 'video', init: RTCRtpTransceiverInit): FakeTransceiver {
    const transceiver = new FakeTransceiver(kind);
    transceiver.direction = init.direction ?? 'sendrecv';
    if (init.sendEncodings) transceiver.sender.parameters.encodings = init.sendEncodings;
    this.transceivers.push(transceiver);
    return transceiver;
  }

  getTransceivers = () => this.transceivers;

  async setLocalDescription(): Promise<void> {
    const answering = this.signalingState === 'have-remote-offer';
    described += 1;
    this.localDescription = { type: answering ? 'answer' : 'offer', sdp: `sdp ${described}` };
    this.signalingState = answering ? 'stable' : 'have-local-offer';
  }

  async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#idle();
    const answered = description.type === 'answer';
    if (answered && this.signalingState !== 'have-local-offer') {
      throw new DOMException('no offer to answer', 'InvalidStateError');
    }
    this.remoteDescription = description;
    this.signalingState = answered ? 'stable' : 'have-remote-offer';
    if (this.transceivers.length === 0) {
      this.transceivers.push(new FakeTransceiver('audio'), new FakeTransceiver('video'));
    }
  }

  async addIceCandidate(candidate?: RTCIceCandidateInit): Promise<void> {
    this.candidates.push(candidate);
  }

  getStats = async (): Promise<RTCStatsReport> => new Map();

  restartIce(): void {
    this.restarts += 1;
  }

  close(): void {
    this.connectionState = 'closed';
    this.signalingState = 'closed';
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.onconnectionstatechange?.(new Event('connectionstatechange'));
  }
}
