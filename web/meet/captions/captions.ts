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
  /** What is being said, oldest first. */
  interim: readonly Interim[];
};
export type Interim = { participantId: string; name: string; text: string };

export const captionsKey = 'rapport.meet.captions';
const mostShown = 3;
/** To read a caption takes about as long as to say it. */
const leastShownMs = 6_000;
/** Without more words, a phrase has ended without becoming a line. */
const interimMs = 5_000;

const nothing = { lines: [], interim: [] };

/** The captions of a call. Whether they are shown is remembered on the device. */
export class Captions extends WritableStore<CaptionsState> {
  readonly #stored: StoredValue<boolean>;
  readonly #outdated = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(storage: Storage, onMessage: (listener: (message: ToBrowser) => void) => void) {
    const stored = new StoredValue(storage, captionsKey, isBoolean);
    super({ isAvailable: false, isShown: stored.read() ?? false, isWorking: true, ...nothing });
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
      this.#tellInterim({ ...message.line, text: '' });
      this.update({ isAvailable: true, lines: [...lines, message.line].slice(-mostShown) });
      setTimeout(() => this.#drop(message.line.id), shownMs(message.line));
    } else if (message.type === 'interim-caption') {
      this.#tellInterim(message);
    } else if (message.type === 'call-started' || message.type === 'call-ended') {
      this.update({ isAvailable: false, isWorking: true, ...nothing });
    }
  }

  #tellInterim({ participantId, name, text }: Interim): void {
    clearTimeout(this.#outdated.get(participantId));
    const { interim } = this.getSnapshot();
    const isOwn = (one: Interim) => one.participantId === participantId;
    const next = { participantId, name, text };
    if (!text) this.update({ interim: interim.filter((one) => !isOwn(one)) });
    else if (interim.some(isOwn))
      this.update({ interim: interim.map((one) => (isOwn(one) ? next : one)) });
    else this.update({ interim: [...interim, next].slice(-mostShown) });
    const drop = () => this.#tellInterim({ ...next, text: '' });
    if (text) this.#outdated.set(participantId, setTimeout(drop, interimMs));
  }

  #drop(dropped: string): void {
    const { lines } = this.getSnapshot();
    this.update({ lines: lines.filter(({ id }) => id !== dropped) });
  }
}

const shownMs = ({ startMs, endMs }: Caption) => Math.max(leastShownMs, endMs - startMs + 3_000);
