import { pcmOf } from '../wav.ts';

/** Windows of one message to the server: 128 ms. */
const windowsOfMessage = 4;

/** Passes on the sound of a phrase in messages of a useful size. */
export class SoundOfPhrase {
  readonly #tell: (pcm: Uint8Array) => void;
  #windows: Buffer[] = [];

  constructor(tell: (pcm: Uint8Array) => void) {
    this.#tell = tell;
  }

  add(window: Float32Array): void {
    this.#windows.push(pcmOf(window));
    if (this.#windows.length >= windowsOfMessage) this.flush();
  }

  /** Call at the end of a phrase. */
  flush(): void {
    if (this.#windows.length > 0) this.#tell(Buffer.concat(this.#windows));
    this.#windows = [];
  }
}
