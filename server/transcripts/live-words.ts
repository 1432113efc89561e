import { isHallucination } from '#domain/transcripts/hallucinations.ts';
import {
  type RecognizedPhrase,
  SpeechError,
  type SpeechService,
  type SpeechStream,
} from '#server/providers/speech/port.ts';
import type { Services } from '#server/services.ts';
import type { Captions } from './captions.ts';
import type { Speaker } from './speaker.ts';

/** Between two messages with the words so far. */
const leastBetweenMs = 250;
/** Of the words so far, the last ones: more is not read before it changes. */
const longestInterim = 300;
/** Longer than any phrase, so that only the words decide whether they are a hallucination. */
const anyDurationMs = 60_000;

export interface Recognized extends RecognizedPhrase {
  /** Service and model. */
  recognizer: string;
}

/** The words of a speaker while they speak, where the speech service has streams. */
export class LiveWords {
  readonly #services: Services;
  readonly #captions: Captions;
  readonly #speaker: Speaker;
  readonly #recognizer: string;
  readonly #stream: SpeechStream;
  #toldAt = 0;
  #hasTold = false;
  #isOver = false;

  /** @returns null where phrases are recognized one by one */
  static open(services: Services, captions: Captions, speaker: Speaker): LiveWords | null {
    const service = services.speech.current();
    return service?.openStream ? new LiveWords(services, captions, speaker, service) : null;
  }

  private constructor(
    services: Services,
    captions: Captions,
    speaker: Speaker,
    service: SpeechService,
  ) {
    this.#services = services;
    this.#captions = captions;
    this.#speaker = speaker;
    this.#recognizer = service.recognizer;
    const { orgId } = speaker.tenant;
    const onInterim = (text: string) => this.#tell(text);
    const stream = service.openStream?.({ orgId, onInterim });
    if (!stream) throw new Error('the speech service has no streams');
    this.#stream = stream;
  }

  write(pcm: Uint8Array): void {
    this.#stream.write(pcm);
  }

  /** Ends a phrase, and resolves with its words; with null where it is to be recognized as a whole. */
  async finish(): Promise<Recognized | null> {
    try {
      const heard = await this.#stream.finish();
      return heard && { ...heard, recognizer: this.#recognizer };
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      const { failure, message } = error;
      const { callId } = this.#speaker;
      if (!this.#isOver)
        this.#services.log.info({ failure, message, callId }, 'a stream lost a phrase');
      return null;
    }
  }

  /** Ends the stream once its phrases have their words. */
  end(): void {
    this.#stream.end();
  }

  /** Ends the stream immediately, and takes the words back that are not a line yet. */
  abort(): void {
    this.#isOver = true;
    this.#stream.abort();
    if (this.#hasTold) this.#captions.takeBack(this.#speaker);
  }

  #tell(text: string): void {
    const now = Date.now();
    if (this.#isOver || now - this.#toldAt < leastBetweenMs) return;
    if (isHallucination({ text, durationMs: anyDurationMs, before: [] })) return;
    this.#toldAt = now;
    if (this.#captions.tellInterim(this.#speaker, text.slice(-longestInterim)))
      this.#hasTold = true;
  }
}
