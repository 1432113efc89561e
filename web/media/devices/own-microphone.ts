import type { LocalMedia } from './local-media.ts';
import {
  freshCheck,
  type MicrophoneTrouble,
  nextCheck,
  troubleIn,
  windowOf,
} from './microphone-check.ts';
import { type Listening, listenTo } from './microphone-level.ts';

/** 0.7 s at the usual sample rate: two measurements leave no gap. */
const samplesHeard = 32_768;

/** Measures this participant's microphone, to report when it seems not to work. */
export class OwnMicrophone {
  readonly #media: LocalMedia;
  #track: MediaStreamTrack | null = null;
  #listening: Listening | null = null;
  #check = freshCheck;

  constructor(media: LocalMedia) {
    this.#media = media;
  }

  /**
   * Call every half second. `awaited`: the others are present and silent. @returns the loudness, 0
   * while it is off
   */
  measure(awaited: boolean): number {
    const { audio, wished } = this.#media.getSnapshot();
    this.#follow(audio);
    if (audio === null || !wished.audio) {
      this.#check = freshCheck;
      return 0;
    }
    if (!this.#listening?.hears()) return 0;
    const heard = windowOf(this.#listening.samples(), awaited);
    this.#check = nextCheck(this.#check, heard);
    return heard.peak;
  }

  get trouble(): MicrophoneTrouble | null {
    return troubleIn(this.#check);
  }

  stop(): void {
    this.#follow(null);
  }

  #follow(track: MediaStreamTrack | null): void {
    if (track === this.#track) return;
    this.#listening?.stop();
    this.#track = track;
    this.#listening = track && listenTo(track, samplesHeard);
    this.#check = freshCheck;
  }
}
