import { closeCodes, notCapturedCode } from '#domain/calls/close-codes.ts';
import {
  type SpeechToServer,
  speechBitsPerSecond,
  speechMimeType,
  speechProtocol,
  speechReady,
  speechSliceMs,
} from '#domain/transcripts/speech-protocol.ts';
import { backoffMs } from '#web/live/backoff.ts';

/**
 * `connecting`: also after a lost connection, and what is said meanwhile is not transcribed. `waiting`: there is no
 * microphone. `unsupported`: this browser cannot record WebM with Opus. `ended`: the server captures nothing of
 * this participant any more.
 */
export type SpeechState = 'connecting' | 'on' | 'waiting' | 'unsupported' | 'ended';

export interface SpeechCaptureOptions {
  /** The track that the others hear; null without a microphone. Asked for repeatedly, because it changes. */
  microphone: () => MediaStreamTrack | null;
  /** A meeting token. */
  token: string;
  callId: string;
  onState?: (state: SpeechState) => void;
  openWebSocket?: () => WebSocket;
}

export interface SpeechCapture {
  /** Resolves once nothing is recorded or sent any more. */
  stop(): Promise<void>;
}

/** How soon another microphone is noticed. */
const lookMs = 500;
const pingMs = 10_000;
/** Bytes that wait for a slow network: some seconds of speech. Newer ones are not recorded then. */
const mostWaitingBytes = 32 * 1024;
/** After these, another attempt has the same end. */
const finalCodes: readonly number[] = [
  notCapturedCode,
  closeCodes.callEnded,
  closeCodes.removed,
  closeCodes.replaced,
  closeCodes.roomGone,
  closeCodes.tokenRefused,
  closeCodes.badMessage,
];

/**
 * Sends this participant's microphone, and nothing else, to the server for transcription, until `stop` or until
 * the server ends it. Call it only after the participant has agreed. The call never waits for it.
 */
export function openSpeechCapture(options: SpeechCaptureOptions): SpeechCapture {
  const { onState = () => undefined } = options;
  const isSupported =
    typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(speechMimeType);
  if (!isSupported) {
    onState('unsupported');
    return { stop: async () => undefined };
  }
  const capture = new Capture(options, onState);
  capture.connect();
  return { stop: () => capture.stop() };
}

const ownWebSocket = () =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws/speech`);

class Capture {
  readonly #options: SpeechCaptureOptions;
  readonly #onState: (state: SpeechState) => void;
  #state: SpeechState | null = null;
  #socket: WebSocket | null = null;
  #recorder: MediaRecorder | null = null;
  #track: MediaStreamTrack | null = null;
  #attempt = 0;
  #timers: ReturnType<typeof setInterval>[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(options: SpeechCaptureOptions, onState: (state: SpeechState) => void) {
    this.#options = options;
    this.#onState = onState;
  }

  connect(): void {
    if (this.#isOver) return;
    this.#tell('connecting');
    const socket = (this.#options.openWebSocket ?? ownWebSocket)();
    this.#socket = socket;
    socket.onopen = () => {
      this.#say({ type: 'hello', protocol: speechProtocol, token: this.#options.token });
    };
    socket.onmessage = ({ data }) => {
      if (data === speechReady) this.#begin();
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#lost(code);
    };
  }

  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#retry);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#endRecording();
    this.#socket?.close(1000, 'stopped');
    this.#socket = null;
  }

  #begin(): void {
    this.#attempt = 0;
    this.#look();
    this.#timers = [
      setInterval(() => this.#look(), lookMs),
      setInterval(() => this.#say({ type: 'ping' }), pingMs),
    ];
  }

  /** Records the microphone that is in use now, as a file of its own. */
  #look(): void {
    const track = this.#options.microphone();
    const live = track?.readyState === 'live' ? track : null;
    const isCongested = (this.#socket?.bufferedAmount ?? 0) > mostWaitingBytes;
    if (isCongested) void this.#endRecording();
    else if (live !== this.#track || this.#recorder?.state === 'inactive') {
      void this.#endRecording();
      if (live) this.#record(live);
      this.#tell(live ? 'on' : 'waiting');
    }
  }

  #record(track: MediaStreamTrack): void {
    const socket = this.#socket;
    const recorder = new MediaRecorder(new MediaStream([track]), {
      mimeType: speechMimeType,
      audioBitsPerSecond: speechBitsPerSecond,
    });
    let startedAt = performance.now();
    let hasBegun = false;
    recorder.onstart = () => {
      startedAt = performance.now();
    };
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0 || socket?.readyState !== WebSocket.OPEN) return;
      if (!hasBegun) {
        hasBegun = true;
        this.#say({ type: 'begin', ageMs: Math.min(60_000, performance.now() - startedAt) });
      }
      // Blobs are sent in the order of these calls.
      socket.send(data);
    };
    recorder.start(speechSliceMs);
    this.#recorder = recorder;
    this.#track = track;
  }

  /** Resolves when the last slice was handed to the socket. */
  #endRecording(): Promise<void> {
    const recorder = this.#recorder;
    this.#recorder = null;
    this.#track = null;
    if (!recorder || recorder.state === 'inactive') return Promise.resolve();
    return new Promise((resolve) => {
      recorder.onstop = () => resolve();
      recorder.stop();
    });
  }

  #lost(code: number): void {
    for (const timer of this.#timers) clearInterval(timer);
    void this.#endRecording();
    this.#socket = null;
    if (this.#isOver) return;
    if (finalCodes.includes(code)) {
      this.#isOver = true;
      this.#tell('ended');
      return;
    }
    this.#tell('connecting');
    this.#retry = setTimeout(() => this.connect(), backoffMs(this.#attempt, Math.random));
    this.#attempt += 1;
  }

  #say(message: SpeechToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #tell(state: SpeechState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onState(state);
  }
}
