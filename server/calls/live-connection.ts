import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Channel } from '#domain/calls/participant.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Person } from './live-person.ts';
import { MessageRateLimiter } from './message-rate.ts';
import type { NewSocket } from './new-sockets.ts';
import type { Waiting } from './waiting-page.ts';

/**
 * Beyond either bound, a socket is paused until its messages are handled, so that a flood waits in
 * its own network.
 */
const mostWaiting = 100;
const mostWaitingBytes = 64 * 1024;

/** A message that waits. */
interface Received {
  bytes: number;
  handle: () => Promise<void> | undefined;
  failed: (error: unknown) => void;
}

/** One socket of `/ws`, from its upgrade to its end. */
export class LiveConnection {
  readonly socket: WebSocket;
  /** Bounds the socket until its token is accepted. */
  readonly fresh: NewSocket;
  /** The network address of the page. */
  readonly address: string;
  readonly rate = new MessageRateLimiter(Date.now());
  entered: { person: Person; channel: Channel } | null = null;
  /** Set instead of `entered` while a guest is in the preview or lobby. */
  outside: Waiting | null = null;
  /** Exceeded a bound: further messages are ignored. */
  isCutOff = false;
  receivedAt = Date.now();
  readonly #stream: Socket;
  readonly #closed = new AbortController();
  /** Received, and not handled. Without a promise for each, since thousands of sockets may have a hundred. */
  readonly #waiting: Received[] = [];
  #work: Promise<void> | null = null;
  #waitingBytes = 0;
  #unfinishedBytes = 0;
  #hasCompleted = false;

  /** @param stream what `socket` reads from and writes to */
  constructor(socket: WebSocket, stream: Socket, fresh: NewSocket, address: string) {
    this.socket = socket;
    this.#stream = stream;
    this.fresh = fresh;
    this.address = address;
    // With a reason of its own, `abort` makes no Error with a stack.
    socket.once('close', () => this.#closed.abort('closed'));
  }

  /** Aborted when the socket closes. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Settles when the messages received so far are handled. */
  get work(): Promise<void> {
    return this.#work ?? Promise.resolve();
  }

  /** Of the accepted token; undefined before. */
  get claims(): MeetingClaims | undefined {
    return (this.entered?.person ?? this.outside)?.admitted.claims;
  }

  /** With whom its messages take turns: an organization's staff or guests, or an address before the hello. */
  get payer(): string {
    const { claims } = this;
    return claims ? `${claims.orgId} ${claims.kind}` : addressKey(this.address);
  }

  /**
   * Counts what has arrived. Call it after `ws` has read it.
   * @returns bytes since the last complete message. Of the read in which that ended, none are counted
   */
  received(bytes: number): number {
    this.#unfinishedBytes = this.#hasCompleted ? 0 : this.#unfinishedBytes + bytes;
    this.#hasCompleted = false;
    return this.#unfinishedBytes;
  }

  /** Closes the socket, and reads nothing more from it. Unhandled messages are ignored. */
  cutOff(code: number, reason: string): void {
    this.isCutOff = true;
    this.socket.close(code, reason);
    this.socket.pause();
    // The answer to the close is not read, so that the page must not wait for `ws` to give up.
    this.#stream.end();
  }

  /** Handles messages one after the other: an edit is stored before the next message is handled. */
  queue(
    bytes: number,
    handle: () => Promise<void> | undefined,
    failed: (error: unknown) => void,
  ): void {
    this.receivedAt = Date.now();
    this.#hasCompleted = true;
    this.#waiting.push({ bytes, handle, failed });
    this.#waitingBytes += bytes;
    // Until its hello is answered, a socket is not read further.
    if (
      !this.claims ||
      this.#waiting.length > mostWaiting ||
      this.#waitingBytes > mostWaitingBytes
    ) {
      this.socket.pause();
    }
    this.#work ??= this.#handleAll();
  }

  async #handleAll(): Promise<void> {
    // Not while `ws` reads.
    await Promise.resolve();
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      try {
        await next.handle();
      } catch (error) {
        next.failed(error);
      }
      this.receivedAt = Date.now();
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes;
    }
    this.#work = null;
    if (!this.isCutOff) this.socket.resume();
  }
}
