import * as z from 'zod/mini';
import { type FromMeeting, toMeeting } from '#domain/calls/live.ts';

type Telling = { type: Exclude<FromMeeting['type'], 'failed'> } | { type: 'failed'; code: string };

/** The page around a framed meeting; both sides speak to their own origin only. */
export class Frame {
  readonly #window: Window;

  constructor(around: Window) {
    this.#window = around;
  }

  get isFramed(): boolean {
    return this.#window.parent !== this.#window;
  }

  tell(telling: Telling): void {
    if (!this.isFramed) return;
    const message: FromMeeting = { rapport: 1, ...telling };
    this.#window.parent.postMessage(message, this.#window.location.origin);
  }

  onLeave(leave: () => void): void {
    if (!this.isFramed) return;
    this.#window.addEventListener('message', (event) => {
      const ours =
        event.origin === this.#window.location.origin && event.source === this.#window.parent;
      if (ours && z.safeParse(toMeeting, event.data).success) leave();
    });
  }
}
