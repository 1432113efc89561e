import {
  type RecognizedPhrase,
  SpeechError,
  type SpeechStream,
  type StreamedSpeaker,
} from '../port.ts';
import { bytesPerSecond, type DeepgramAccess, DeepgramConnection } from './connection.ts';
import type { Results } from './messages.ts';
import type { StreamPlaces } from './stream-places.ts';
import { StreamedPhrase } from './streamed-phrase.ts';

/** Without speech for so long, the connection is closed; the next phrase opens another one. */
const idleMs = 30_000;
/** After the end of a phrase: a service that has not answered by then is asked for the whole phrase. */
const mostWaitMs = 4_000;
/** After it, final results that reach nearly to the end are all. */
const graceMs = 1_000;
const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
/** A refusal of the key or the model does not pass soon. */
const refusedBackoffMs = 300_000;

/** The speech of one person over connections to Deepgram, one at a time. */
export class DeepgramStream implements SpeechStream {
  readonly #access: DeepgramAccess;
  readonly #speaker: StreamedSpeaker;
  readonly #places: StreamPlaces;
  #connection: DeepgramConnection | null = null;
  /** Bytes of sound sent on the connection. */
  #sent = 0;
  /** Phrases on the connection without all their words, oldest first. */
  #phrases: StreamedPhrase[] = [];
  /** The phrase that is being said. */
  #current: StreamedPhrase | null = null;
  #failures = 0;
  #retryAt = 0;
  #isEnding = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(access: DeepgramAccess, speaker: StreamedSpeaker, places: StreamPlaces) {
    this.#access = access;
    this.#speaker = speaker;
    this.#places = places;
  }

  write(pcm: Uint8Array): void {
    if (this.#isEnding) return;
    this.#current ??= this.#begin();
    // A phrase whose connection was lost is not continued on another one.
    if (!this.#phrases.includes(this.#current)) return;
    this.#sent += pcm.length;
    this.#connection?.write(pcm);
  }

  finish(): Promise<RecognizedPhrase> | null {
    const phrase = this.#current;
    this.#current = null;
    if (!phrase) return null;
    if (this.#phrases.includes(phrase)) {
      phrase.endsAt = this.#sent / bytesPerSecond;
      this.#connection?.finalize();
      this.#await(phrase);
    }
    return phrase.words;
  }

  end(): void {
    this.#isEnding = true;
    const unfinished = this.#current;
    unfinished?.fail(new SpeechError('unreachable', 'The stream was ended'));
    this.#phrases = this.#phrases.filter((phrase) => phrase !== unfinished);
    if (this.#phrases.length === 0) this.#connection?.close();
  }

  abort(): void {
    this.#isEnding = true;
    this.#connection?.abort();
  }

  #begin(): StreamedPhrase {
    const phrase = new StreamedPhrase();
    clearTimeout(this.#idle);
    const error = this.#connection ? null : this.#connect();
    if (error) phrase.fail(error);
    else this.#phrases.push(phrase);
    return phrase;
  }

  /** @returns why there is no connection */
  #connect(): SpeechError | null {
    if (Date.now() < this.#retryAt) return new SpeechError('busy', 'Deepgram failed a moment ago');
    const giveBack = this.#places.take(this.#speaker.orgId);
    if (!giveBack) return new SpeechError('busy', 'There are too many streams');
    this.#sent = 0;
    const connection = new DeepgramConnection(this.#access, {
      onResults: (results) => this.#receive(results),
      onEnd: (error) => {
        giveBack();
        if (this.#connection === connection) this.#lost(error);
      },
    });
    this.#connection = connection;
    return null;
  }

  #receive(results: Results): void {
    this.#failures = 0;
    // The answer to `Finalize` may be empty, and begin where the phrase has ended.
    const phrase =
      this.#phrases.find((each) => each.reachesTo(results.start)) ??
      this.#phrases.findLast(({ endsAt }) => endsAt !== null);
    if (!phrase) return;
    const text = phrase.take(results);
    if (text && phrase === this.#current) this.#speaker.onInterim(text);
    if (results.is_final) this.#settle(results.from_finalize, phrase);
  }

  /** Completes what has its words: results come in order, so phrases before one with results have all of theirs. */
  #settle(isFinalized: boolean, reached: StreamedPhrase): void {
    const at = this.#phrases.indexOf(reached);
    const isDone = reached.endsAt !== null && (isFinalized || reached.isCovered);
    const done = this.#phrases.splice(0, isDone ? at + 1 : at);
    for (const phrase of done) phrase.complete();
    if (this.#phrases.length === 0) this.#rest();
  }

  /** Nothing is expected of the connection now. */
  #rest(): void {
    if (this.#isEnding) {
      this.#connection?.close();
      return;
    }
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#connection?.close(), idleMs).unref();
  }

  /** Waits for the words of a phrase that has ended. */
  #await(phrase: StreamedPhrase): void {
    const isWaiting = () => this.#phrases.includes(phrase);
    const grace = setTimeout(() => {
      if (isWaiting() && phrase.mayBeComplete) this.#settle(true, phrase);
    }, graceMs).unref();
    const late = setTimeout(() => {
      if (isWaiting()) this.#connection?.abort();
    }, mostWaitMs).unref();
    const stop = () => {
      clearTimeout(grace);
      clearTimeout(late);
    };
    phrase.words.then(stop, stop);
  }

  #lost(error: SpeechError): void {
    this.#connection = null;
    clearTimeout(this.#idle);
    const lost = this.#phrases;
    this.#phrases = [];
    for (const phrase of lost) phrase.fail(error);
    // A connection that ends while nobody speaks has cost nothing.
    if (lost.length === 0 && error.passes) return;
    this.#failures += 1;
    const backoff = Math.min(firstBackoffMs * 2 ** (this.#failures - 1), longestBackoffMs);
    this.#retryAt = Date.now() + (error.passes ? backoff : refusedBackoffMs);
  }
}
