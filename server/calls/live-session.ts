import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Welcome } from '#domain/calls/live.ts';
import type { Channel, Outgoing } from './room-events.ts';

/** What a session keeps for a page that comes back; past it the page starts anew. */
const mostKept = 1000;
const mostKeptBytes = 1_000_000;
/** A page that takes nothing for so long that this much waits for it is cut off; it may come back. */
const mostUnsentBytes = 8_000_000;

/**
 * What is said to one page, numbered, over as many connections as it takes. Messages wait here until
 * the page has acknowledged them, so that a lost connection loses none.
 */
export class LiveSession {
  readonly id = randomUUID();
  readonly channel: Channel;
  #socket: WebSocket | null = null;
  #sequence = 0;
  #kept: { sequence: number; text: string }[] = [];
  #keptBytes = 0;
  #oldest = 0;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  get socket(): WebSocket | null {
    return this.#socket;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Whether everything after `sequence` is still kept. */
  canResume(sequence: number): boolean {
    return sequence >= this.#oldest && sequence <= this.#sequence;
  }

  /** Binds the page's connection, greets it, and sends what it missed since `after`. */
  attach(socket: WebSocket, welcome: Welcome, after: number): void {
    this.#socket?.close(4411, 'replaced');
    this.#socket = socket;
    socket.send(JSON.stringify(welcome));
    for (const { sequence, text } of this.#kept) if (sequence > after) socket.send(text);
  }

  /** @returns whether it was this session's connection that is gone */
  detach(socket: WebSocket): boolean {
    if (this.#socket !== socket) return false;
    this.#socket = null;
    return true;
  }

  send(message: Outgoing): void {
    this.#sequence += 1;
    const text = JSON.stringify({ ...message, sequence: this.#sequence });
    this.#kept.push({ sequence: this.#sequence, text });
    this.#keptBytes += text.length;
    while (this.#kept.length > mostKept || this.#keptBytes > mostKeptBytes) this.#forgetOldest();
    if (!this.#socket) return;
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > mostUnsentBytes) this.#socket.terminate();
  }

  acknowledged(sequence: number): void {
    while ((this.#kept[0]?.sequence ?? Number.POSITIVE_INFINITY) <= sequence) this.#forgetOldest();
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
    this.#socket = null;
  }

  #forgetOldest(): void {
    const oldest = this.#kept.shift();
    if (!oldest) return;
    this.#oldest = oldest.sequence;
    this.#keptBytes -= oldest.text.length;
  }
}
