import * as z from 'zod/mini';
import {
  type FromMeeting,
  type MeetingView,
  type ToMeeting,
  toMeeting,
} from '#domain/calls/live.ts';
import type { Theme } from '#domain/looks.ts';

type Untold<Message> = Message extends FromMeeting ? Omit<Message, 'rapport'> : never;
type Telling = Untold<FromMeeting>;

/** The part of a window that is used, so that a test can bring its own. */
interface FramedWindow {
  readonly parent: object & {
    readonly location: { readonly origin: string };
    postMessage(message: unknown, targetOrigin: string): void;
  };
  readonly location: { readonly origin: string };
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The page around a framed meeting; both sides speak to their own origin only. */
export class Frame {
  readonly #window: FramedWindow;

  constructor(inside: FramedWindow) {
    this.#window = inside;
  }

  /** Whether one of our own pages is around it. In a foreign one (docs/embedding.md) it stands alone. */
  get isFramed(): boolean {
    const { parent, location } = this.#window;
    const around: object = parent;
    if (around === this.#window) return false;
    try {
      return parent.location.origin === location.origin;
    } catch {
      // What it is asked of a page of another site, the browser refuses.
      return false;
    }
  }

  tell(telling: Telling): void {
    if (!this.isFramed) return;
    const message: FromMeeting = { rapport: 1, ...telling };
    this.#window.parent.postMessage(message, this.#window.location.origin);
  }

  onLeave(leave: () => void): void {
    this.#hear(({ type }) => type === 'leave' && leave());
  }

  onTheme(show: (theme: Theme | null) => void): void {
    this.#hear((said) => said.type === 'theme' && show(said.theme));
  }

  onView(show: (view: MeetingView) => void): void {
    this.#hear((said) => said.type === 'view' && show(said.view));
  }

  onMicrophone(turn: (on: boolean) => void): void {
    this.#hear((said) => said.type === 'microphone' && turn(said.on));
  }

  #hear(listener: (said: ToMeeting) => void): void {
    if (!this.isFramed) return;
    this.#window.addEventListener('message', (event) => {
      const ours =
        event.origin === this.#window.location.origin && event.source === this.#window.parent;
      const { data } = z.safeParse(toMeeting, event.data);
      if (ours && data) listener(data);
    });
  }
}
