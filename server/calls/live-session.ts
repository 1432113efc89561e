import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Welcome } from '#domain/calls/live.ts';
import { type Said, saidOf, say } from './open-sockets.ts';
import type { Channel, Outgoing } from './room-events.ts';

/** What a session keeps for a page that reconnects; past it the page starts a new session. */
const mostKept = 1000;
const mostKeptBytes = 256 * 1024;
/** Of it, for a page whose socket is gone: there may be many of those. */
const mostKeptBytesAbsent = 64 * 1024;
/** A longer message to this page alone is not kept: a new session sends it again. */
const longestOwnCopy = 16 * 1024;

/**
 * The numbered messages to one page, over any number of sockets. Messages are kept until the page
 * has acknowledged them, so that a lost socket loses none.
 */
export class LiveSession {
  readonly id = randomUUID();
  readonly channel: Channel;
  #socket: WebSocket | null = null;
  #socketGone = new AbortController();
  #sequence = 0;
  #kept: { sequence: number; said: Said }[] = [];
  #keptBytes = 0;
  #oldest = 0;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  get socket(): WebSocket | null {
    return this.#socket;
  }

  /** Aborted when the page's present socket is gone. What is made for that page alone is then not needed. */
  get socketGone(): AbortSignal {
    return this.#socketGone.signal;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Returns whether all messages after `sequence` are still kept. */
  canResume(sequence: number): boolean {
    return sequence >= this.#oldest && sequence <= this.#sequence;
  }

  /** Attaches the page's socket, and sends the welcome and all messages after `after`. */
  attach(socket: WebSocket, welcome: Welcome, after: number): void {
    this.#socket?.close(4411, 'replaced');
    this.#socket = socket;
    if (this.#socketGone.signal.aborted) this.#socketGone = new AbortController();
    socket.send(JSON.stringify(welcome));
    for (const { sequence, said } of this.#kept) if (sequence > after) say(socket, sequence, said);
  }

  /** @returns whether the socket was the one of this session */
  detach(socket: WebSocket): boolean {
    if (this.#socket !== socket) return false;
    this.#socket = null;
    this.#socketGone.abort('gone');
    this.#forgetSurplus();
    return true;
  }

  send(message: Outgoing): void {
    this.#sequence += 1;
    const said = saidOf(message);
    this.#kept.push({ sequence: this.#sequence, said });
    this.#keptBytes += said.length;
    const isOwnCopy = said.length > longestOwnCopy && isGreeting(message);
    if (isOwnCopy) this.acknowledged(this.#sequence);
    this.#forgetSurplus();
    if (this.#socket) say(this.#socket, this.#sequence, said);
  }

  acknowledged(sequence: number): void {
    while ((this.#kept[0]?.sequence ?? Number.POSITIVE_INFINITY) <= sequence) this.#forgetOldest();
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
    this.#socket = null;
    this.#socketGone.abort('closed');
  }

  #forgetSurplus(): void {
    const mostBytes = this.socketGone.aborted ? mostKeptBytesAbsent : mostKeptBytes;
    while (this.#kept.length > mostKept || this.#keptBytes > mostBytes) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#kept.shift();
    if (!oldest) return;
    this.#oldest = oldest.sequence;
    this.#keptBytes -= oldest.said.length;
  }
}

/** Whether a message answers one page with what is stored, and is made for that page alone. */
const isGreeting = (message: Outgoing): boolean =>
  message.type === 'checklist' ||
  message.type === 'chat-history' ||
  (message.type === 'note' && message.vector !== undefined);
