import { closeCodes } from '#domain/calls/close-codes.ts';
import type { ToBrowser, ToServer, Welcome } from '#domain/calls/live.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import type { MediaState } from '#domain/calls/participant.ts';
import type { Signal } from '#domain/calls/signal.ts';
import { backoffMs } from './backoff.ts';
import { Heartbeat } from './heartbeat.ts';

export type ConnectionStatus = 'connecting' | 'online' | 'lost';

/** The fields of a hello besides the token and the session; read again for each hello. */
export type Introduction = { name?: string; media?: MediaState; offer?: Signal };

export type SocketEvents = {
  introduce: () => Introduction;
  onMessage: (message: ToBrowser) => void;
  onState: (state: ConnectionStatus) => void;
  /** The server closed the socket for good; `code` is one of closeCodes. */
  onRefused: (code: number) => void;
  /**
   * Whether a lost connection would show by itself, because media of the others arrives directly at this moment.
   * Asked five times a second in a call; without it, never.
   */
  isCalm?: (() => boolean) | undefined;
};

/** The part of WebSocket that is used here, so that a test can pass a fake. */
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

/** How long a socket may take from its opening to the welcome: the first one, and one that reconnects. */
const firstPatienceMs = 10_000;
const patienceMs = (attempt: number) => Math.min(firstPatienceMs, 3_000 + 1_000 * attempt);

const longestRoundTripMs = 8_000;

const comesBack = new Set<number>([closeCodes.silent]);
const lastCode = 4999;
const firstCode = 4000;

/**
 * The meeting's WebSocket: sends hello, pings, detects silence, reconnects, and resumes the
 * session. Messages are not queued while it is down: a sender watches `onState` and sends again
 * what still matters.
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

  /** Returns false if the socket is down and the message was not sent. */
  send(message: ToServer): boolean {
    return this.#welcomed && this.#webSocket !== null && say(this.#webSocket, message);
  }

  /**
   * The page closes. The server may lose what was just sent on a socket: if it writes to the socket before it
   * has read it, and the page's end is closed, the operating system drops what it has received. So a request
   * says the same.
   */
  pageCloses(): void {
    this.send({ type: 'leave' });
    if (this.#closed || this.#session === null) return;
    const body = JSON.stringify({ token: this.#token, session: this.#session.id });
    navigator.sendBeacon('/api/meetings/leave', new Blob([body], { type: 'application/json' }));
  }

  /** Resolves with the round-trip time to the server, or null if no answer arrives. */
  async roundTripMs(): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const asked = performance.now();
    this.#onPong = () => resolve(Math.round(performance.now() - asked));
    setTimeout(() => resolve(null), longestRoundTripMs);
    const sent = this.send({ type: 'ping', sequence: this.#session?.sequence ?? 0 });
    return sent ? promise : null;
  }

  /** Skips the rest of the backoff: the browser reports that the network is back. */
  hurry(): void {
    if (this.#closed || this.#webSocket !== null) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Treats the socket as dead without waiting for silence: the browser reports that the network is gone. */
  drop(): void {
    if (this.#closed || this.#webSocket === null) return;
    this.#letGo();
    // The silence was long enough.
    this.#comeBack(0);
  }

  /** Starts a new session with another token. */
  renew(token: string): void {
    this.#closed = false;
    this.#token = token;
    this.#session = null;
    this.#letGo();
    this.#connect();
  }

  /** Sends hello again on the same socket, after the preview or the lobby; a welcome answers it. */
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

  /** In the preview or the lobby: the socket stays open, and there is no session to resume. */
  #wait(waiting: Extract<ToBrowser, { type: 'waiting' }>): void {
    this.#token = waiting.token;
    this.#session = null;
    this.#stands(() => true);
    this.#options.onMessage(waiting);
  }

  #enter(welcome: Welcome): void {
    this.#token = welcome.token;
    // Missed messages follow a resumed welcome, so counting continues from the last one received.
    const sequence = welcome.resumed ? (this.#session?.sequence ?? 0) : welcome.sequence;
    this.#session = { id: welcome.session, sequence };
    this.#stands(this.#options.isCalm ?? (() => false));
    this.#options.onMessage(welcome);
  }

  /** The server has answered a hello: from now on the heartbeat runs. */
  #stands(isCalm: () => boolean): void {
    this.#welcomed = true;
    this.#attempt = 0;
    clearTimeout(this.#patience);
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(isCalm, {
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

/** A closing socket accepts no messages, even before its close event. */
function say(webSocket: WebSocketLike, message: ToServer): boolean {
  if (webSocket.readyState !== WebSocket.OPEN) return false;
  webSocket.send(JSON.stringify(message));
  return true;
}

/** Not validated beyond its type: the page's own server sends it, and parses what others send through it. */
function parse(data: unknown): ToBrowser | null {
  if (typeof data !== 'string') return null;
  try {
    const message: ToBrowser | null = JSON.parse(data);
    return typeof message?.type === 'string' ? message : null;
  } catch {
    return null;
  }
}
