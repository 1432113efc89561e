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

/**
 * The speech of one person, as they speak. Only sound of phrases is written to it, so silence costs nothing. It
 * connects with the first phrase, and again after a failure.
 */
export interface SpeechStream {
  /** Takes the next sound of the phrase that is being said: 16 kHz, one channel, 16 bits. Returns immediately. */
  write(pcm: Uint8Array): void;
  /**
   * Ends the phrase, and resolves with its words. Null if nothing was written since the one before.
   * @throws SpeechError if this stream does not get its words: the phrase is then to be recognized as a whole
   */
  finish(): Promise<RecognizedPhrase> | null;
  /** Ends the stream once its phrases have ended. */
  end(): void;
  /** Ends the stream immediately: nothing is sent any more, and phrases without words fail. */
  abort(): void;
}

/** Whose speech a stream is, and who learns its words before the phrase ends. */
export interface StreamedSpeaker {
  orgId: string;
  /** Called with the words so far of the phrase that is being said; later ones replace them. */
  onInterim(text: string): void;
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
  /** Only where the service takes sound while it is spoken. Phrases that its streams lose are for `recognize`. */
  openStream?(speaker: StreamedSpeaker): SpeechStream;
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
