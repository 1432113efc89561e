import { WebSocket } from 'ws';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';

/** A page's WebSocket to the server, without the page. */
export class LiveSocket {
  readonly #socket: WebSocket;
  readonly #waiting = new Set<(message: ToBrowser) => void>();
  #sequence = 0;
  #self = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      // Not validated: the server's own tests check the shape.
      const message = JSON.parse(String(data)) as ToBrowser;
      if ('sequence' in message) this.#sequence = message.sequence;
      if (message.type === 'welcome') this.#self = message.self;
      for (const hear of [...this.#waiting]) hear(message);
    });
  }

  /** Connects, sends hello and resolves with the welcome, or what a guest outside the meeting gets instead. */
  static async open(
    url: string,
    hello: Partial<ToServer> & { token: string },
    answer: 'welcome' | 'waiting' = 'welcome',
  ): Promise<LiveSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { perMessageDeflate: false });
    const line = new LiveSocket(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const welcome = line.next((message) => message.type === answer);
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...hello }));
    await welcome;
    return line;
  }

  /** The participant's id from the welcome. */
  get self(): string {
    return this.#self;
  }

  /** Calls the listener with each message from now on. */
  hear(listener: (message: ToBrowser) => void): void {
    this.#waiting.add(listener);
  }

  send(message: ToServer): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Resolves with the next message that matches. */
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

  /** Sends a page's heartbeat, after which the server drops the messages that were received. */
  ping(): void {
    this.send({ type: 'ping', sequence: this.#sequence });
  }

  /** Leaves for good, like the page's own button. */
  leave(): void {
    this.send({ type: 'leave' });
  }

  /** Leaves, and resolves once the server has closed the socket. */
  async left(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.leave();
    await closed;
  }

  close(): void {
    this.#socket.terminate();
  }
}
