import {
  channelVersion,
  handshake,
  type RoomCommand,
  type RoomEvent,
  readCommand,
  versionIn,
} from '#domain/embedding/channel.ts';

/** More commands in a second than any page's buttons send: the channel closes. */
const mostCommandsPerSecond = 50;

/** The part of a window that is used here, so that a test can pass a fake. */
export interface FramedWindow {
  readonly parent: object & { postMessage(message: unknown, targetOrigin: string): void };
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export interface EmbedderPortOptions {
  inside: FramedWindow;
  /** The sites that the organization has listed. */
  origins: readonly string[];
  onConnect: (origin: string) => void;
  onCommand: (command: RoomCommand) => void;
}

/**
 * The meeting page's end of the channel to the page around its frame. One listed site gets the port, once: the page
 * in the frame is loaded again for another.
 */
export class EmbedderPort {
  readonly #options: EmbedderPortOptions;
  #port: MessagePort | null = null;
  #isTaken = false;
  #second = 0;
  #commands = 0;

  constructor(options: EmbedderPortOptions) {
    this.#options = options;
    const { inside } = options;
    inside.addEventListener('message', (event) => this.#connect(event));
    // Contains nothing, so whichever page is around the frame may read it.
    inside.parent.postMessage(handshake('ready'), '*');
  }

  send(event: RoomEvent): void {
    this.#port?.postMessage(event);
  }

  close(): void {
    this.#port?.close();
    this.#port = null;
  }

  #connect({ data, origin, source, ports: [port] }: MessageEvent): void {
    const { inside, origins, onConnect } = this.#options;
    if (this.#isTaken || source !== inside.parent || !origins.includes(origin)) return;
    if (!port || versionIn(data, 'connect') !== channelVersion) return;
    this.#isTaken = true;
    this.#port = port;
    port.onmessage = (message) => this.#receive(message.data);
    onConnect(origin);
  }

  #receive(data: unknown): void {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#commands = 0;
    }
    this.#commands += 1;
    if (this.#commands > mostCommandsPerSecond) {
      this.send({
        type: 'error',
        code: 'too_many_commands',
        message: 'The page sent too many commands, and gets no more events of this call.',
      });
      this.close();
      return;
    }
    const command = readCommand(data);
    if (command) this.#options.onCommand(command);
  }
}
