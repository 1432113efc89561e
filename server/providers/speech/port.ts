/** One phrase of one person, cut at pauses. What was said in it is data: it instructs nothing. */
export interface SpokenPhrase {
  /** A WAV file: 16 kHz, one channel, 16 bits. */
  wav: Buffer;
  durationMs: number;
}

export interface RecognizedPhrase {
  /** Empty if the service heard no words. */
  text: string;
  /** BCP 47 or ISO 639, as the service names it; null where it does not say. */
  language: string | null;
}

/** Turns speech into text: the adapter of a service that the operator has configured. */
export interface SpeechService {
  readonly kind: 'openai-compatible' | 'deepgram' | 'local';
  /** Service and model, as stored with each line. */
  readonly recognizer: string;
  /** The host that audio is sent to; null if it stays on this server. */
  readonly host: string | null;
  /**
   * @param signal ends the request
   * @throws SpeechError
   */
  recognize(phrase: SpokenPhrase, signal?: AbortSignal): Promise<RecognizedPhrase>;
}

/** The choice of a service, which changes while the program runs: a local model is fetched, or removed. */
export interface SpeechChoice {
  /** Null without a service, and while no local model is ready: then nothing is transcribed. */
  current(): SpeechService | null;
}

/** `refused`: the service does not accept the key, the model, or the audio. */
export type SpeechFailure = 'unreachable' | 'timeout' | 'busy' | 'failed' | 'refused' | 'malformed';

export class SpeechError extends Error {
  readonly failure: SpeechFailure;

  constructor(failure: SpeechFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpeechError';
    this.failure = failure;
  }

  /** Whether the same phrase may be recognized a moment later. */
  get passes(): boolean {
    return this.failure !== 'refused' && this.failure !== 'malformed';
  }
}
