import {
  speechBitsPerSecond,
  speechMimeType,
  speechReady,
  speechRecognize,
  speechSliceMs,
} from '#domain/transcripts/speech-protocol.ts';
import type { OwnRecognizer } from './own-recognizer.ts';
import { ownWebSocket, SpeechConnection } from './speech-connection.ts';
import type { SpeechState } from './speech-state.ts';

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
  /** Loads the language, in `installable`. */
  install(): void;
  /** Resolves once nothing is recorded or sent any more. */
  stop(): Promise<void>;
}

/** How soon another microphone is noticed. */
const lookMs = 500;
/** Bytes that wait for a slow network: some seconds of speech. Newer ones are not recorded then. */
const mostWaitingBytes = 32 * 1024;

/**
 * Sends what this participant says, and nothing else, to the server for the transcript, until `stop` or until the
 * server ends it: the sound of their microphone, or the words that their browser recognizes. Call it only after the
 * participant has agreed. The call never waits for it.
 */
export function openSpeechCapture(options: SpeechCaptureOptions): SpeechCapture {
  const capture = new Capture(options);
  capture.start();
  return { install: () => capture.install(), stop: () => capture.stop() };
}

const canRecord = () =>
  typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(speechMimeType);
const canRecognize = () => 'SpeechRecognition' in globalThis;

class Capture {
  readonly #options: SpeechCaptureOptions;
  readonly #connection: SpeechConnection;
  #state: SpeechState | null = null;
  #recorder: MediaRecorder | null = null;
  #recognizer: OwnRecognizer | null = null;
  #track: MediaStreamTrack | null = null;
  #looking: ReturnType<typeof setInterval> | undefined;
  #isOver = false;

  constructor(options: SpeechCaptureOptions) {
    this.#options = options;
    this.#connection = new SpeechConnection(options.token, options.openWebSocket ?? ownWebSocket, {
      onConnecting: () => this.#tell('connecting'),
      onReady: (answer) => {
        if (answer === speechReady) this.#begin();
        if (answer === speechRecognize) void this.#recognize();
      },
      onLost: (isFinal) => {
        this.#pause();
        if (isFinal) this.#isOver = true;
        this.#tell(isFinal ? 'ended' : 'connecting');
      },
    });
  }

  start(): void {
    if (canRecord() || canRecognize()) this.#connection.connect();
    else this.#tell('unsupported');
  }

  install(): void {
    this.#recognizer?.install();
  }

  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#looking);
    this.#recognizer?.stop();
    await this.#endRecording();
    this.#connection.close();
  }

  #begin(): void {
    if (!canRecord()) {
      this.#giveUp();
      return;
    }
    clearInterval(this.#looking);
    this.#look();
    this.#looking = setInterval(() => this.#look(), lookMs);
  }

  /** The server has no speech service, and the organization lets browsers recognize speech. */
  async #recognize(): Promise<void> {
    const connection = this.#connection.current;
    const { OwnRecognizer } = await import('./own-recognizer.ts');
    if (this.#isOver || this.#connection.current !== connection) return;
    this.#recognizer?.stop();
    this.#recognizer = new OwnRecognizer({
      microphone: this.#options.microphone,
      onPhrase: (phrase) => this.#connection.say({ type: 'phrase', ...phrase }),
      onState: (state) => {
        if (state === 'unsupported') this.#giveUp();
        else this.#tell(state);
      },
    });
    await this.#recognizer.start();
  }

  #giveUp(): void {
    this.#isOver = true;
    this.#pause();
    this.#connection.close();
    this.#tell('unsupported');
  }

  #pause(): void {
    clearInterval(this.#looking);
    this.#recognizer?.stop();
    this.#recognizer = null;
    void this.#endRecording();
  }

  /** Records the microphone that is in use now, as a file of its own. */
  #look(): void {
    const track = this.#options.microphone();
    const live = track?.readyState === 'live' ? track : null;
    const isCongested = this.#connection.waitingBytes > mostWaitingBytes;
    if (isCongested) void this.#endRecording();
    else if (live !== this.#track || this.#recorder?.state === 'inactive') {
      void this.#endRecording();
      if (live) this.#record(live);
      this.#tell(live ? 'on' : 'waiting');
    }
  }

  #record(track: MediaStreamTrack): void {
    const connection = this.#connection;
    const socket = connection.current;
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
      if (data.size === 0 || !connection.isOpen || connection.current !== socket) return;
      if (!hasBegun) {
        hasBegun = true;
        connection.say({ type: 'begin', ageMs: Math.min(60_000, performance.now() - startedAt) });
      }
      connection.send(data);
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

  #tell(state: SpeechState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}
