import type { Caption } from '#domain/calls/caption.ts';
import type { ToBrowser } from '#domain/calls/live.ts';
import { isBoolean } from '#domain/shape.ts';
import { WritableStore } from '#web/live/store.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

export type CaptionsState = {
  /** Somebody in this call is transcribed. */
  isAvailable: boolean;
  /** The person wants to read captions. */
  isShown: boolean;
  /** False while the speech service does not answer. */
  isWorking: boolean;
  /** The newest, oldest first. */
  lines: readonly Caption[];
};

export const captionsKey = 'rapport.meet.captions';
const mostShown = 3;
/** To read a caption takes about as long as to say it. */
const leastShownMs = 6_000;

/** The captions of a call. Whether they are shown is remembered on the device. */
export class Captions extends WritableStore<CaptionsState> {
  readonly #stored: StoredValue<boolean>;

  constructor(storage: Storage, onMessage: (listener: (message: ToBrowser) => void) => void) {
    const stored = new StoredValue(storage, captionsKey, isBoolean);
    super({ isAvailable: false, isShown: stored.read() ?? false, isWorking: true, lines: [] });
    this.#stored = stored;
    onMessage((message) => this.#receive(message));
  }

  show(isShown: boolean): void {
    this.update({ isShown });
    this.#stored.write(isShown);
  }

  #receive(message: ToBrowser): void {
    if (message.type === 'captions-state') {
      this.update({ isAvailable: true, isWorking: message.isWorking });
    } else if (message.type === 'caption') {
      const { lines } = this.getSnapshot();
      if (lines.some(({ id }) => id === message.line.id)) return;
      this.update({ isAvailable: true, lines: [...lines, message.line].slice(-mostShown) });
      setTimeout(() => this.#drop(message.line.id), shownMs(message.line));
    } else if (message.type === 'call-started' || message.type === 'call-ended') {
      this.update({ isAvailable: false, isWorking: true, lines: [] });
    }
  }

  #drop(dropped: string): void {
    const { lines } = this.getSnapshot();
    this.update({ lines: lines.filter(({ id }) => id !== dropped) });
  }
}

const shownMs = ({ startMs, endMs }: Caption) => Math.max(leastShownMs, endMs - startMs + 3_000);
