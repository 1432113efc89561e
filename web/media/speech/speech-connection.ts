import { closeCodes, notCapturedCode } from '#domain/calls/close-codes.ts';
import { type SpeechToServer, speechProtocol } from '#domain/transcripts/speech-protocol.ts';
import { backoffMs } from '#web/live/backoff.ts';

interface Listener {
  /** Called before each attempt. */
  onConnecting(): void;
  /** The server's answer to hello: what it wants. */
  onReady(answer: string): void;
  /** `isFinal`: another attempt would have the same end. */
  onLost(isFinal: boolean): void;
}

const pingMs = 10_000;
/** After these, another attempt has the same end. */
const finalCodes: readonly number[] = [
  notCapturedCode,
  closeCodes.callEnded,
  closeCodes.removed,
  closeCodes.replaced,
  closeCodes.roomGone,
  closeCodes.tokenRefused,
  closeCodes.badMessage,
];

export const ownWebSocket = () =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws/speech`);

/** The page's end of `/ws/speech`, which connects again until it is closed or the server wants no more of it. */
export class SpeechConnection {
  readonly #token: string;
  readonly #open: () => WebSocket;
  readonly #listener: Listener;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #ping: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(token: string, open: () => WebSocket, listener: Listener) {
    this.#token = token;
    this.#open = open;
    this.#listener = listener;
  }

  /** Bytes that wait for the network. */
  get waitingBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  connect(): void {
    if (this.#isOver) return;
    this.#listener.onConnecting();
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => {
      this.say({ type: 'hello', protocol: speechProtocol, token: this.#token });
    };
    socket.onmessage = ({ data }) => {
      this.#attempt = 0;
      clearInterval(this.#ping);
      this.#ping = setInterval(() => this.say({ type: 'ping' }), pingMs);
      this.#listener.onReady(String(data));
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#lost(code);
    };
  }

  say(message: SpeechToServer): void {
    this.send(JSON.stringify(message));
  }

  /** Blobs are sent in the order of these calls. */
  send(data: string | Blob): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  /** The socket that is open now, to notice that it has been replaced. */
  get current(): unknown {
    return this.#socket;
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    clearInterval(this.#ping);
    this.#socket?.close(1000, 'stopped');
    this.#socket = null;
  }

  #lost(code: number): void {
    clearInterval(this.#ping);
    this.#socket = null;
    if (this.#isOver) return;
    const isFinal = finalCodes.includes(code);
    this.#isOver = isFinal;
    this.#listener.onLost(isFinal);
    if (isFinal) return;
    this.#retry = setTimeout(() => this.connect(), backoffMs(this.#attempt, Math.random));
    this.#attempt += 1;
  }
}
