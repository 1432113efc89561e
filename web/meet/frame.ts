import type {
  FromMeeting,
  MeetingView,
  ShortcutAction,
  ToMeeting,
} from '#domain/calls/frame-messages.ts';
import type { Theme } from '#domain/looks.ts';
import type { Ending } from './ending.ts';

type Unmarked<Message> = Message extends FromMeeting ? Omit<Message, 'rapport'> : never;
type Posted = Unmarked<FromMeeting>;

/** The part of a window that is used here, so that a test can pass a fake. */
interface FramedWindow {
  readonly parent: object & {
    readonly location: { readonly origin: string };
    postMessage(message: unknown, targetOrigin: string): void;
  };
  readonly location: { readonly origin: string };
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The page around a framed meeting. Both sides send only to their own origin. */
export class Frame {
  readonly #window: FramedWindow;

  constructor(inside: FramedWindow) {
    this.#window = inside;
  }

  /**
   * Whether a page of Rapport embeds this one. In another site's page (docs/embedding.md) it is
   * standalone.
   */
  get isFramed(): boolean {
    const { parent, location } = this.#window;
    const around: object = parent;
    if (around === this.#window) return false;
    try {
      return parent.location.origin === location.origin;
    } catch {
      // The browser denies access to a page of another site.
      return false;
    }
  }

  post(message: Posted): void {
    if (!this.isFramed) return;
    const marked: FromMeeting = { rapport: 1, ...message };
    this.#window.parent.postMessage(marked, this.#window.location.origin);
  }

  /** @param wasInside the page had joined the meeting */
  postEnding(ending: Ending, wasInside: boolean): void {
    if (ending === 'left') this.post({ type: 'left' });
    else if (ending === 'callEnded' && wasInside) this.post({ type: 'call-ended' });
    else this.post({ type: 'failed', code: ending });
  }

  onLeave(leave: () => void): void {
    this.#onMessage(({ type }) => type === 'leave' && leave());
  }

  onTheme(show: (theme: Theme | null) => void): void {
    this.#onMessage((message) => message.type === 'theme' && show(message.theme));
  }

  onView(show: (view: MeetingView) => void): void {
    this.#onMessage((message) => message.type === 'view' && show(message.view));
  }

  onMicrophone(turn: (on: boolean) => void): void {
    this.#onMessage((message) => message.type === 'microphone' && turn(message.on));
  }

  onShortcut(act: (action: ShortcutAction) => void): void {
    this.#onMessage((message) => message.type === 'shortcut' && act(message.action));
  }

  #onMessage(listener: (message: ToMeeting) => void): void {
    if (!this.isFramed) return;
    this.#window.addEventListener('message', (event) => {
      const ours =
        event.origin === this.#window.location.origin && event.source === this.#window.parent;
      // Not validated beyond its mark: a page of the same origin, which is Rapport's own, sent it.
      const message: ToMeeting | null = event.data;
      if (ours && message?.rapport === 1) listener(message);
    });
  }
}
