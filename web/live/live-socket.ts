import * as z from 'zod/mini';
import {
  closeCodes,
  type MediaState,
  protocolVersion,
  type Signal,
  type ToBrowser,
  type ToServer,
  toBrowser,
  type Welcome,
} from '#domain/calls/live.ts';
import { backoffMs } from './backoff.ts';
import { Heartbeat } from './heartbeat.ts';

export type ConnectionStatus = 'connecting' | 'online' | 'lost';

/** What a hello says besides the token and the session, asked anew at each one. */
export type Introduction = { name?: string; media?: MediaState; offer?: Signal };

export type SocketEvents = {
  introduce: () => Introduction;
  onMessage: (message: ToBrowser) => void;
  onState: (state: ConnectionStatus) => void;
  /** The server closed for good; `code` is one of closeCodes. */
  onRefused: (code: number) => void;
};

/** The part of a WebSocket that is used, so that a test can bring its own. */
export interface WebSocketLike {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
}

export type SocketOptions = SocketEvents & {
  token: string;
  openWebSocket: () => WebSocketLike;
  random?: () => number;
};

/** So long a line may take from its opening to the welcome: the first one, and one that comes back. */
const firstPatienceMs = 10_000;
const patienceMs = (attempt: number) => Math.min(firstPatienceMs, 3_000 + 1_000 * attempt);

const longestRoundTripMs = 8_000;

const comesBack = new Set<number>([closeCodes.silent]);
const lastCode = 4999;
const firstCode = 4000;

/**
 * The meeting's line to the server: says hello, pings, notices silence, comes back by itself and
 * takes the session up where it was left. Messages sent while it is down are not kept: who sends
 * them looks at `onState` and says again what still matters.
 */
export class LiveSocket {
  readonly #options: SocketOptions;
  #webSocket: WebSocketLike | null = null;
  #token: string;
  #session: { id: string; sequence: number } | null = null;
  #welcomed = false;
  #closed = false;
  #attempt = 0;
  #state: ConnectionStatus = 'connecting';
  #heartbeat: Heartbeat | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #onPong: (() => void) | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#connect();
  }

  /** False when the line is down and the message went nowhere. */
  send(message: ToServer): boolean {
    return this.#welcomed && this.#webSocket !== null && say(this.#webSocket, message);
  }

  /** How long the way to the server and back takes, or null when no answer comes. */
  async roundTripMs(): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const asked = performance.now();
    this.#onPong = () => resolve(Math.round(performance.now() - asked));
    setTimeout(() => resolve(null), longestRoundTripMs);
    const sent = this.send({ type: 'ping', sequence: this.#session?.sequence ?? 0 });
    return sent ? promise : null;
  }

  /** Tries at once what would have been tried later: the network says that it is back. */
  hurry(): void {
    if (this.#closed || this.#webSocket !== null) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Takes the line for dead without waiting for silence: the network says that it is gone. */
  drop(): void {
    if (this.#closed || this.#webSocket === null) return;
    this.#letGo();
    // The silence was wait enough.
    this.#comeBack(0);
  }

  /** Begins a new session under another token. */
  renew(token: string): void {
    this.#closed = false;
    this.#token = token;
    this.#session = null;
    this.#letGo();
    this.#connect();
  }

  /** Out of the preview or the lobby: the next hello, on the same line, is welcomed. */
  sendHelloAgain(): void {
    this.#welcomed = false;
    if (this.#webSocket !== null) this.#hello(this.#webSocket);
  }

  close(): void {
    this.#closed = true;
    this.#letGo();
    clearTimeout(this.#retry);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const webSocket = this.#options.openWebSocket();
    this.#webSocket = webSocket;
    const isFirst = this.#state === 'connecting';
    const patience = isFirst ? firstPatienceMs : patienceMs(this.#attempt);
    this.#patience = setTimeout(() => this.drop(), patience);
    webSocket.onopen = () => this.#hello(webSocket);
    webSocket.onmessage = (event) => this.#receive(event.data);
    webSocket.onclose = (event) => this.#closedBy(event.code);
  }

  #hello(webSocket: WebSocketLike): void {
    const hello: ToServer = {
      type: 'hello',
      protocol: protocolVersion,
      channel: 'meeting',
      token: this.#token,
      ...this.#options.introduce(),
      ...(this.#session && {
        resume: { session: this.#session.id, sequence: this.#session.sequence },
      }),
    };
    say(webSocket, hello);
  }

  #receive(data: unknown): void {
    this.#heartbeat?.heard();
    if (this.#welcomed) this.#become('online');
    const message = parse(data);
    if (message?.type === 'pong') this.#onPong?.();
    if (message === null || message.type === 'pong') return;
    if (message.type === 'welcome') this.#enter(message);
    else if (message.type === 'waiting') this.#wait(message);
    else if (message.type === 'let-in') this.sendHelloAgain();
    else if (this.#session !== null && message.sequence > this.#session.sequence) {
      this.#session.sequence = message.sequence;
      this.#options.onMessage(message);
    }
  }

  /** In the preview or the lobby: the line holds, and there is no session to come back to. */
  #wait(waiting: Extract<ToBrowser, { type: 'waiting' }>): void {
    this.#token = waiting.token;
    this.#session = null;
    this.#stands();
    this.#options.onMessage(waiting);
  }

  #enter(welcome: Welcome): void {
    this.#token = welcome.token;
    // What was missed follows a resumed welcome: the count goes on from what this page has seen.
    const sequence = welcome.resumed ? (this.#session?.sequence ?? 0) : welcome.sequence;
    this.#session = { id: welcome.session, sequence };
    this.#stands();
    this.#options.onMessage(welcome);
  }

  /** The server has answered a hello: from now on the line is felt. */
  #stands(): void {
    this.#welcomed = true;
    this.#attempt = 0;
    clearTimeout(this.#patience);
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat({
      ping: () => this.send({ type: 'ping', sequence: this.#session?.sequence ?? 0 }),
      onLost: () => this.#become('lost'),
      onDead: () => this.drop(),
    });
    this.#become('online');
  }

  #closedBy(code: number): void {
    this.#letGo();
    const forGood = code >= firstCode && code <= lastCode && !comesBack.has(code);
    if (forGood) {
      this.#closed = true;
      this.#options.onRefused(code);
    } else this.#comeBack(this.#attempt);
  }

  #comeBack(failures: number): void {
    this.#become('lost');
    const wait = backoffMs(failures, this.#options.random ?? Math.random);
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #become(state: ConnectionStatus): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }

  #letGo(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = null;
    clearTimeout(this.#patience);
    this.#welcomed = false;
    const webSocket = this.#webSocket;
    this.#webSocket = null;
    if (webSocket === null) return;
    webSocket.onopen = null;
    webSocket.onmessage = null;
    webSocket.onclose = null;
    webSocket.close();
  }
}

/** A line that is closing takes nothing any more, while nobody has been told so yet. */
function say(webSocket: WebSocketLike, message: ToServer): boolean {
  if (webSocket.readyState !== WebSocket.OPEN) return false;
  webSocket.send(JSON.stringify(message));
  return true;
}

function parse(data: unknown): ToBrowser | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed = z.safeParse(toBrowser, JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
