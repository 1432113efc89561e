import type { ClosedBoot } from '#domain/rooms/boot.ts';
import { hasShape, isBoolean, isNullable, isText } from '#domain/shape.ts';
import { WritableStore } from '#web/live/store.ts';

export type OpeningAnswer = { isOpen: boolean; opensAt: string | null; now: string };
const isAnswer = (value: unknown): value is OpeningAnswer =>
  hasShape<OpeningAnswer>(value, {
    isOpen: isBoolean,
    opensAt: isNullable(isText),
    now: isText,
  });

/** The page asks repeatedly: hours may change, and the clock of a sleeping computer stops. */
const longestWaitMs = 60_000;
const shortestWaitMs = 1000;

type WatchOptions = {
  boot: Pick<ClosedBoot, 'opensAt' | 'now'>;
  /** Resolves with null if the server does not answer. */
  ask: () => Promise<OpeningAnswer | 'gone' | null>;
  /** The room is open, or its link has ended: the page is reloaded. */
  onOpen: () => void;
  /** Monotonic time in milliseconds. */
  elapsed: () => number;
  setTimer: (step: () => void, ms: number) => ReturnType<typeof setTimeout>;
};

/** Waits for a room to open. The server decides when: this device's clock may be wrong. */
export class OpeningWatch extends WritableStore<{ opensAt: string | null }> {
  readonly #options: WatchOptions;
  #serverTime: { ms: number; at: number };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;

  constructor(options: WatchOptions) {
    super({ opensAt: options.boot.opensAt });
    this.#options = options;
    this.#serverTime = this.#heard(options.boot.now);
    this.#wait();
  }

  /** The page is visible again, or the network is back. */
  async look(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const said = await this.#options.ask();
    this.#asking = false;
    if (said === 'gone' || said?.isOpen) {
      clearTimeout(this.#timer);
      return this.#options.onOpen();
    }
    if (said) {
      this.#serverTime = this.#heard(said.now);
      this.update({ opensAt: said.opensAt });
    }
    this.#wait();
  }

  #wait(): void {
    const { opensAt } = this.getSnapshot();
    const left = opensAt === null ? longestWaitMs : Date.parse(opensAt) - this.#now;
    const ms = Math.min(longestWaitMs, Math.max(shortestWaitMs, left));
    clearTimeout(this.#timer);
    this.#timer = this.#options.setTimer(() => void this.look(), ms);
  }

  get #now(): number {
    return this.#serverTime.ms + this.#options.elapsed() - this.#serverTime.at;
  }

  #heard(now: string) {
    return { ms: Date.parse(now), at: this.#options.elapsed() };
  }
}

/** Asks the server whether the room of a guest's page (`/join/…`) is open. */
export async function askOpening(scope: string): Promise<OpeningAnswer | 'gone' | null> {
  try {
    const reply = await fetch(`/api${scope}/opening`);
    if (reply.status === 404 || reply.status === 410) return 'gone';
    const answer: unknown = reply.ok ? await reply.json() : null;
    return isAnswer(answer) ? answer : null;
  } catch {
    return null;
  }
}
