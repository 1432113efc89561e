import { WebSocket } from 'ws';
import { protocolVersion, type ToBrowser, type ToServer } from '#domain/calls/live.ts';

/** One page's line to the server, without the page. */
export class LiveSocket {
  readonly #socket: WebSocket;
  readonly #waiting = new Set<(message: ToBrowser) => void>();
  #sequence = 0;
  #self = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      // Our own server's: its shape is what the server's tests are for.
      const message = JSON.parse(String(data)) as ToBrowser;
      if ('sequence' in message) this.#sequence = message.sequence;
      if (message.type === 'welcome') this.#self = message.self;
      for (const hear of [...this.#waiting]) hear(message);
    });
  }

  /** Connects, says hello and resolves at the welcome. */
  static async open(
    url: string,
    hello: Partial<ToServer> & { token: string },
  ): Promise<LiveSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { perMessageDeflate: false });
    const line = new LiveSocket(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const welcome = line.next((message) => message.type === 'welcome');
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...hello }));
    await welcome;
    return line;
  }

  /** The participant's id, as the welcome said it. */
  get self(): string {
    return this.#self;
  }

  /** Tells of every message from now on. */
  hear(listener: (message: ToBrowser) => void): void {
    this.#waiting.add(listener);
  }

  send(message: ToServer): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Resolves with the next message that fits. */
  next(fits: (message: ToBrowser) => boolean): Promise<ToBrowser> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no such live message came')), 10_000);
      const hear = (message: ToBrowser) => {
        if (!fits(message)) return;
        clearTimeout(timer);
        this.#waiting.delete(hear);
        resolve(message);
      };
      this.#waiting.add(hear);
    });
  }

  /** What a page says every few seconds, and what lets the server forget what was heard. */
  ping(): void {
    this.send({ type: 'ping', sequence: this.#sequence });
  }

  /** For good, as by the page's own button. */
  leave(): void {
    this.send({ type: 'leave' });
  }

  /** The same, and resolves once the server has closed the socket. */
  async left(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.leave();
    await closed;
  }

  close(): void {
    this.#socket.terminate();
  }
}
