/** Samples of one decision: 32 ms at 16 kHz, which is what Silero takes. */
export const windowSamples = 512;
const windowsOf = (ms: number) => Math.round((ms * 16) / windowSamples);

/** A pause that ends a phrase. It is the largest part of a caption's delay. */
const pauseWindows = windowsOf(384);
/** The longest phrase: services and captions work on short ones. */
const mostWindows = Math.floor((15_000 * 16) / windowSamples);
/** Speech begins before it is detected, and its last sounds are quiet. */
const windowsBefore = windowsOf(256);
const windowsAfter = windowsOf(160);
/** Less speech is a click or a cough. */
const leastSpeechWindows = windowsOf(192);
/** Where a phrase must be cut without a pause, its quietest moment within its last seconds is chosen. */
const windowsOfChoice = windowsOf(3000);

/** Decides about consecutive windows whether they contain speech. */
export interface SpeechDetector {
  isSpeech(window: Float32Array): boolean;
  /** Whether these windows, which it took for speech, are speech as a whole. */
  confirms?(windows: readonly Float32Array[]): boolean;
  /** Forgets what came before. */
  reset(): void;
}

/** A phrase, with times in milliseconds on the clock of its stream. */
export interface Phrase {
  startMs: number;
  endMs: number;
  /** 16 kHz. */
  samples: Float32Array;
}

/** Called with the sound of a phrase while it is said: in the end, with all samples of the phrase. */
type OnSound = (window: Float32Array) => void;

/** Cuts a stream of samples into phrases at pauses. Silence and noise become no phrase. */
export class PhraseCutter {
  readonly #detector: SpeechDetector;
  readonly #onSound: OnSound | null;
  /** Windows of the phrase so far that `#onSound` was called with. */
  #told = 0;
  /** Samples that do not fill a window yet. */
  #rest = new Float32Array(0);
  /** Windows before the speech, or those of the phrase so far. */
  #windows: Float32Array[] = [];
  /** Samples of the stream before the first of these windows. */
  #startsAt = 0;
  #isInPhrase = false;
  #speechWindows = 0;
  #silentWindows = 0;

  /** @param onSound not called where the detector decides about whole phrases only */
  constructor(detector: SpeechDetector, onSound: OnSound | null = null) {
    this.#detector = detector;
    this.#onSound = detector.confirms ? null : onSound;
  }

  /** Where the next sample belongs, in milliseconds of the stream. */
  get positionMs(): number {
    const samples = this.#startsAt + this.#windows.length * windowSamples + this.#rest.length;
    return samples / 16;
  }

  /** Takes the next samples, and returns the phrases that have ended with them. */
  push(samples: Float32Array): Phrase[] {
    const all = new Float32Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    const phrases: Phrase[] = [];
    let at = 0;
    for (; at + windowSamples <= all.length; at += windowSamples) {
      const phrase = this.#take(all.slice(at, at + windowSamples));
      if (phrase) phrases.push(phrase);
    }
    this.#rest = all.slice(at);
    return phrases;
  }

  /** Continues at a later position of the stream, after a gap or at its end. Returns the phrase before it. */
  skipTo(positionMs: number): Phrase[] {
    const phrase = this.#isInPhrase ? this.#cut(this.#windows.length) : null;
    this.#rest = new Float32Array(0);
    this.#windows = [];
    this.#leavePhrase();
    this.#startsAt = Math.round(positionMs * 16);
    this.#detector.reset();
    return phrase ? [phrase] : [];
  }

  #take(window: Float32Array): Phrase | null {
    const isSpeech = this.#detector.isSpeech(window);
    this.#windows.push(window);
    if (!this.#isInPhrase) {
      if (isSpeech) this.#isInPhrase = true;
      else if (this.#windows.length > windowsBefore) this.#drop(1);
    }
    if (!this.#isInPhrase) return null;
    this.#speechWindows += isSpeech ? 1 : 0;
    this.#silentWindows = isSpeech ? 0 : this.#silentWindows + 1;
    if (this.#silentWindows >= pauseWindows) {
      const phrase = this.#cut(this.#windows.length - this.#silentWindows + windowsAfter);
      this.#leavePhrase();
      this.#drop(Math.max(0, this.#windows.length - windowsBefore));
      return phrase;
    }
    if (this.#isLongEnough()) return this.#onSound ? this.#cutHere() : this.#cutLong();
    // What follows may be the pause after the phrase, of which only the beginning belongs to it.
    this.#tellSound(this.#windows.length - Math.max(0, this.#silentWindows - windowsAfter));
    return null;
  }

  #isLongEnough(): boolean {
    const { length } = this.#windows;
    const mayCut = this.#onSound && this.#silentWindows > 0;
    return length >= (mayCut ? mostWindows - windowsOfChoice : mostWindows);
  }

  /** Passes on the sound of the phrase up to this window, once it is certain that it is a phrase. */
  #tellSound(until: number): void {
    if (!this.#onSound || this.#speechWindows < leastSpeechWindows) return;
    for (const window of this.#windows.slice(this.#told, until)) this.#onSound(window);
    this.#told = Math.max(this.#told, until);
  }

  /** Sound that was passed on cannot be taken back, so the phrase ends where it is. It continues after the cut. */
  #cutHere(): Phrase | null {
    const phrase = this.#cut(this.#windows.length);
    this.#speechWindows = 0;
    this.#silentWindows = 0;
    return phrase;
  }

  /** The phrase continues after the cut. */
  #cutLong(): Phrase | null {
    const candidates = this.#windows.slice(-windowsOfChoice).map(loudness);
    const quietest = candidates.indexOf(Math.min(...candidates));
    const phrase = this.#cut(this.#windows.length - candidates.length + quietest + 1);
    // What is left counts as speech: it is part of a phrase.
    this.#speechWindows = this.#windows.length;
    this.#silentWindows = 0;
    this.#detector.reset();
    return phrase;
  }

  /** Returns the first windows as a phrase, unless they hold too little speech, and removes them. */
  #cut(count: number): Phrase | null {
    const spoken = this.#windows.slice(windowsBefore, this.#windows.length - this.#silentWindows);
    const isPhrase =
      this.#speechWindows >= leastSpeechWindows && (this.#detector.confirms?.(spoken) ?? true);
    if (isPhrase) this.#tellSound(count);
    this.#told = 0;
    const startsAt = this.#startsAt;
    const windows = this.#windows.slice(0, count);
    this.#drop(windows.length);
    if (!isPhrase) return null;
    const samples = new Float32Array(windows.length * windowSamples);
    windows.forEach((window, index) => {
      samples.set(window, index * windowSamples);
    });
    const startMs = Math.round(startsAt / 16);
    return { startMs, endMs: startMs + Math.round(samples.length / 16), samples };
  }

  #drop(count: number): void {
    this.#windows.splice(0, count);
    this.#startsAt += count * windowSamples;
  }

  #leavePhrase(): void {
    this.#isInPhrase = false;
    this.#speechWindows = 0;
    this.#silentWindows = 0;
  }
}

/** Mean power of a window. */
export const loudness = (window: Float32Array): number =>
  window.reduce((sum, sample) => sum + sample * sample, 0) / window.length;
