import * as z from 'zod/mini';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { type NoticeToPage, noticePingSeconds, noticeToPage } from '#domain/notices/live.ts';
import { backoffMs } from './backoff.ts';
import type { WebSocketLike } from './live-socket.ts';

/** A ping that gets no answer for this long shows that the connection is dead. */
const patienceMs = 10_000;
const forGood = new Set<number>([closeCodes.tokenRefused, closeCodes.removed]);

interface NoticeSocketOptions {
  openWebSocket: () => WebSocketLike;
  onMessage: (message: NoticeToPage) => void;
  /** What was told may be out of date; `rooms` follows when the connection is back. */
  onLost: () => void;
  random?: () => number;
}

/** The browser's connection for notices: pings, detects silence, and connects again, later and later. */
export class NoticeSocket {
  readonly #options: NoticeSocketOptions;
  #webSocket: WebSocketLike | null = null;
  #attempt = 0;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: NoticeSocketOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Skips the rest of the backoff: the browser reports that the network is back. */
  hurry(): void {
    if (this.#isClosed || this.#webSocket !== null) return;
    this.#attempt = 0;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#letGo();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const webSocket = this.#options.openWebSocket();
    this.#webSocket = webSocket;
    webSocket.onmessage = ({ data }) => this.#receive(data);
    webSocket.onclose = ({ code }) => this.#closedBy(code);
    this.#timer = setTimeout(() => this.#comeBack(), patienceMs);
  }

  #receive(data: unknown): void {
    const message = parse(data);
    if (message === null) return;
    this.#attempt = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ping(), noticePingSeconds * 1000);
    this.#options.onMessage(message);
  }

  #ping(): void {
    const webSocket = this.#webSocket;
    if (webSocket?.readyState === WebSocket.OPEN) webSocket.send('{"type":"ping"}');
    this.#timer = setTimeout(() => this.#comeBack(), patienceMs);
  }

  #closedBy(code: number): void {
    if (!forGood.has(code)) this.#comeBack();
    else {
      this.close();
      this.#options.onLost();
    }
  }

  #comeBack(): void {
    this.#letGo();
    this.#options.onLost();
    const wait = backoffMs(this.#attempt, this.#options.random ?? Math.random);
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #letGo(): void {
    clearTimeout(this.#timer);
    const webSocket = this.#webSocket;
    this.#webSocket = null;
    if (webSocket === null) return;
    webSocket.onmessage = null;
    webSocket.onclose = null;
    webSocket.close();
  }
}

function parse(data: unknown): NoticeToPage | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed = z.safeParse(noticeToPage, JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
