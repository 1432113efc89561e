import {
  channelVersion,
  handshake,
  type RoomCommand,
  type RoomEvent,
  readRoomEvent,
  versionIn,
} from '../../../domain/embedding/channel.ts';

/** A meeting page that has not said `ready` by then was refused by the browser, or does not load. */
const answerSeconds = 20;

interface FrameChannelOptions {
  frame: HTMLIFrameElement;
  /** Rapport's origin: only its messages count, and only it receives ours. */
  origin: string;
  onEvent: (event: RoomEvent) => void;
}

/** The element's end of the channel to the meeting page in its frame. */
export class FrameChannel {
  readonly #options: FrameChannelOptions;
  readonly #noAnswer: ReturnType<typeof setTimeout>;
  #port: MessagePort | null = null;
  /** The newest wish about the microphone from before the page was connected. */
  #early: RoomCommand | null = null;

  constructor(options: FrameChannelOptions) {
    this.#options = options;
    addEventListener('message', this.#onMessage);
    this.#noAnswer = setTimeout(() => {
      options.onEvent({
        type: 'error',
        code: 'no_answer',
        message: `The call didn’t load. Check that ${location.origin} is listed in Rapport under Settings, Embedding.`,
      });
    }, answerSeconds * 1000);
  }

  send(command: RoomCommand): void {
    if (this.#port) this.#port.postMessage(command);
    else this.#early = command;
  }

  close(): void {
    removeEventListener('message', this.#onMessage);
    clearTimeout(this.#noAnswer);
    this.#port?.close();
    this.#port = null;
  }

  readonly #onMessage = ({ data, origin, source }: MessageEvent): void => {
    const { frame, onEvent } = this.#options;
    const inside = frame.contentWindow;
    if (inside === null || source !== inside || origin !== this.#options.origin) return;
    const version = versionIn(data, 'ready');
    if (version === null) return;
    clearTimeout(this.#noAnswer);
    if (version !== channelVersion) {
      const message = 'This page uses another version of the <rapport-room> element than Rapport.';
      onEvent({ type: 'error', code: 'version', message });
      return;
    }
    this.#connect(inside);
  };

  /** Also after the page in the frame was reloaded. */
  #connect(inside: Window): void {
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      const event = readRoomEvent(data);
      if (event) this.#options.onEvent(event);
    };
    this.#port = port1;
    inside.postMessage(handshake('connect'), this.#options.origin, [port2]);
    if (this.#early) port1.postMessage(this.#early);
    this.#early = null;
  }
}
