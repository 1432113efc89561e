import type { RecognizedPhrase, SpeechError } from '../port.ts';
import type { Results } from './messages.ts';

/** Sound at the end of a phrase that final results may leave out: silence. */
const mostUncoveredSeconds = 0.5;
const nearlySeconds = 0.05;

/** One phrase on a connection: its place in the sound that was sent, and its words so far. */
export class StreamedPhrase {
  /** Seconds of the connection's sound before its end; null while it is being said. */
  endsAt: number | null = null;
  readonly words: Promise<RecognizedPhrase>;
  readonly #finals: string[] = [];
  #language: string | null = null;
  /** Where its final results end, in seconds of the connection's sound; 0 before the first ones. */
  #coveredTo = 0;
  #resolve: (recognized: RecognizedPhrase) => void = () => undefined;
  #reject: (error: SpeechError) => void = () => undefined;

  constructor() {
    this.words = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A phrase may fail before it has ended.
    this.words.catch(() => undefined);
  }

  /** Whether results that begin there belong to it, or to one before. */
  reachesTo(seconds: number): boolean {
    return this.endsAt === null || seconds < this.endsAt - nearlySeconds;
  }

  /** All of its sound has final results. */
  get isCovered(): boolean {
    return this.#isCoveredBut(nearlySeconds);
  }

  /** Final results may be all that it gets: Deepgram does not answer `Finalize` where only silence is left. */
  get mayBeComplete(): boolean {
    return this.#coveredTo > 0 && this.#isCoveredBut(mostUncoveredSeconds);
  }

  /** @returns the words so far */
  take({ is_final, start, duration, channel }: Results): string {
    const [said] = channel.alternatives;
    const text = said?.transcript.trim() ?? '';
    const all = text ? [...this.#finals, text] : this.#finals;
    if (is_final) {
      if (text) this.#finals.push(text);
      this.#coveredTo = Math.max(this.#coveredTo, start + duration);
      this.#language ??= said?.languages?.[0] ?? null;
    }
    return all.join(' ');
  }

  complete(): void {
    this.#resolve({ text: this.#finals.join(' '), language: this.#language });
  }

  fail(error: SpeechError): void {
    this.#reject(error);
  }

  #isCoveredBut(seconds: number): boolean {
    return this.endsAt !== null && this.#coveredTo >= this.endsAt - seconds;
  }
}
