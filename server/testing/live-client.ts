import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ToBrowser, type ToServer, toBrowser } from '#domain/calls/live.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;
type Heard<T extends ToBrowser['type']> = Extract<ToBrowser, { type: T }>;

const patienceMs = 15_000;

/** A page's end of `/ws`, which parses every received message by the protocol. */
export class LiveClient {
  readonly socket: WebSocket;
  readonly heard: ToBrowser[] = [];
  /** The close code, once either side has closed. */
  readonly closed: Promise<number>;
  #wake = () => {};

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url}/ws`, { headers });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code) => resolve(code));
      this.socket.once('error', () => resolve(0));
    });
    this.closed.then(() => this.#wake());
    this.socket.on('message', (data) => {
      this.heard.push(toBrowser.parse(JSON.parse(String(data))));
      this.#wake();
    });
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveClient> {
    const client = new LiveClient(url, headers);
    await once(client.socket, 'open');
    return client;
  }

  send(message: ToServer): void {
    this.socket.send(JSON.stringify(message));
  }

  say(text: string): void {
    this.socket.send(text);
  }

  /** Returns the first received or future message of this type that matches. */
  async until<T extends ToBrowser['type']>(
    type: T,
    fits: (message: Heard<T>) => boolean = () => true,
  ): Promise<Heard<T>> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.all(type).find(fits);
      if (found) return found;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`closed with ${await this.closed} before '${type}' came`);
      }
      const left = deadline - Date.now();
      const tooLate = new Promise<'late'>((resolve) => setTimeout(resolve, left, 'late'));
      if (left <= 0 || (await Promise.race([woken, tooLate])) === 'late') {
        throw new Error(`waited for '${type}', heard ${JSON.stringify(this.heard).slice(0, 2000)}`);
      }
    }
  }

  all<T extends ToBrowser['type']>(type: T): Heard<T>[] {
    return this.heard.filter((message): message is Heard<T> => message.type === type);
  }

  /** Waits until all messages sent so far have arrived, by one more round trip. */
  async settled(): Promise<this> {
    const before = this.all('pong').length;
    this.send({ type: 'ping', sequence: 0 });
    await this.until('pong', (pong) => this.all('pong').indexOf(pong) >= before);
    return this;
  }

  /** Disconnects without a close frame, like a lost network. */
  async drop(): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

const bothOn = { audio: true, video: true };

/** Opens a socket and sends hello; by default as a meeting page in the meeting. */
export async function enter(url: string, token: string, hello: Partial<Hello> = {}) {
  const client = await LiveClient.open(url);
  const channel = hello.channel ?? 'meeting';
  client.send({
    type: 'hello',
    protocol: protocolVersion,
    channel,
    token,
    ...(channel === 'meeting' ? { media: bothOn } : {}),
    ...hello,
  });
  const welcome = await client.until('welcome');
  return Object.assign(client, { welcome, id: welcome.self });
}
export type Entered = Awaited<ReturnType<typeof enter>>;

export const enterPanel = (url: string, token: string) => enter(url, token, { channel: 'panel' });

/** Returns the close code of a refused hello. */
export async function refusedHello(url: string, hello: Partial<Hello>): Promise<number> {
  const client = await LiveClient.open(url);
  const message = {
    type: 'hello',
    protocol: protocolVersion,
    channel: 'meeting',
    token: '',
    ...hello,
  };
  client.say(JSON.stringify(message));
  return client.closed;
}
