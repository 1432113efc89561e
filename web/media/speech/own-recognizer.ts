import {
  longestBrowserPhrase,
  longestBrowserPhraseMs,
} from '#domain/transcripts/speech-protocol.ts';
import type { SpeechState } from './speech-state.ts';

/**
 * The part of the Web Speech API that is used (webaudio.github.io/web-speech-api), with recognition on the device.
 * TypeScript's library has the API without it.
 */
interface OnDevice extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally: boolean;
  onspeechstart: (() => void) | null;
  onresult: ((event: ResultEvent) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(track: MediaStreamTrack): void;
  abort(): void;
}
interface ResultEvent {
  resultIndex: number;
  results: ArrayLike<{ isFinal: boolean; 0: { transcript: string } }>;
}
interface Wanted {
  langs: string[];
  processLocally: true;
}
interface OnDeviceApi {
  new (): OnDevice;
  prototype: object;
  available?(wanted: Wanted): Promise<'available' | 'downloadable' | 'downloading' | 'unavailable'>;
  install?(wanted: Wanted): Promise<boolean>;
}

interface Options {
  microphone: () => MediaStreamTrack | null;
  onPhrase: (phrase: { text: string; durationMs: number; language: string }) => void;
  onState: (state: SpeechState) => void;
}

const lookMs = 500;
const firstRestartMs = 250;
const longestRestartMs = 8_000;
/** How long it takes to say, at the usual speed. */
const msOfCharacter = 65;
/** After these, another attempt has the same end. */
const finalErrors = ['not-allowed', 'service-not-allowed', 'language-not-supported'];

/**
 * Recognizes the participant's own microphone by their browser, on the device alone: where the browser cannot
 * promise that, it is not used. A muted microphone is not listened to.
 */
export class OwnRecognizer {
  readonly #options: Options;
  readonly #api = (globalThis as { SpeechRecognition?: OnDeviceApi }).SpeechRecognition;
  readonly #wanted: Wanted = { langs: [navigator.language], processLocally: true };
  #recognition: OnDevice | null = null;
  #track: MediaStreamTrack | null = null;
  #looking: ReturnType<typeof setInterval> | undefined;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { onState } = this.#options;
    const state = await this.#availability();
    if (this.#isOver) return;
    if (state === 'available') {
      this.#look();
      this.#looking = setInterval(() => this.#look(), lookMs);
    } else if (state === 'downloadable' || state === 'downloading') onState('installable');
    else onState('unsupported');
  }

  install(): void {
    this.#options.onState('installing');
    const done = this.#api?.install?.(this.#wanted) ?? Promise.resolve(false);
    done
      .catch(() => false)
      .then((isInstalled) => {
        if (this.#isOver) return;
        if (isInstalled) void this.start();
        else this.#options.onState('unsupported');
      });
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#looking);
    clearTimeout(this.#restart);
    this.#end();
  }

  async #availability() {
    const api = this.#api;
    // A browser without this attribute would send the sound to its maker, and ignore the track.
    if (!api?.available || !('processLocally' in api.prototype)) return 'unavailable';
    return api.available(this.#wanted).catch(() => 'unavailable' as const);
  }

  #look(): void {
    const track = this.#options.microphone();
    const live = track?.readyState === 'live' && track.enabled ? track : null;
    if (live === this.#track) return;
    this.#end();
    this.#track = live;
    this.#failures = 0;
    if (live) this.#listen(live);
    this.#options.onState(live ? 'on' : 'waiting');
  }

  #listen(track: MediaStreamTrack): void {
    if (!this.#api) return;
    const recognition = new this.#api();
    recognition.lang = this.#wanted.langs[0] ?? '';
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.processLocally = true;
    let spokenSince = performance.now();
    let isFresh = true;
    recognition.onspeechstart = () => {
      if (isFresh) spokenSince = performance.now();
      isFresh = false;
    };
    recognition.onresult = ({ resultIndex, results }) => {
      this.#failures = 0;
      const now = performance.now();
      const finals = Array.from(results)
        .slice(resultIndex)
        .filter(({ isFinal }) => isFinal);
      if (finals.length === 0) return;
      for (const final of finals) this.#tell(final[0].transcript, now - spokenSince);
      spokenSince = now;
      isFresh = true;
    };
    recognition.onerror = ({ error }) => {
      if (finalErrors.includes(error)) this.#failFor(recognition);
    };
    recognition.onend = () => {
      if (this.#recognition === recognition) this.#again(track);
    };
    this.#recognition = recognition;
    try {
      recognition.start(track);
    } catch {
      this.#again(track);
    }
  }

  #tell(transcript: string, durationMs: number): void {
    const text = transcript.trim().slice(0, longestBrowserPhrase);
    const [language = ''] = this.#wanted.langs;
    // Results may come together, the later ones without a time of their own.
    const lasted = Math.max(durationMs, text.length * msOfCharacter);
    if (text)
      this.#options.onPhrase({
        text,
        durationMs: Math.min(lasted, longestBrowserPhraseMs),
        language,
      });
  }

  /** Recognizers end after a while, also without an error. */
  #again(track: MediaStreamTrack): void {
    this.#recognition = null;
    if (this.#isOver || this.#track !== track) return;
    const waitMs = Math.min(firstRestartMs * 2 ** this.#failures, longestRestartMs);
    this.#failures += 1;
    this.#restart = setTimeout(() => {
      if (this.#track === track) this.#listen(track);
    }, waitMs);
  }

  #failFor(recognition: OnDevice): void {
    if (this.#recognition !== recognition) return;
    this.stop();
    this.#options.onState('unsupported');
  }

  #end(): void {
    clearTimeout(this.#restart);
    const recognition = this.#recognition;
    this.#recognition = null;
    this.#track = null;
    recognition?.abort();
  }
}
