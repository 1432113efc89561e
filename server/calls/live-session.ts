import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Welcome } from '#domain/calls/live.ts';
import type { Channel } from '#domain/calls/participant.ts';
import { KeptMessages } from './kept-messages.ts';
import { saidOf } from './open-sockets.ts';
import { Outbox } from './outbox.ts';
import type { Outgoing } from './room-events.ts';

/** A longer message to this page alone is not kept: a new session sends it again. */
const longestOwnCopy = 16 * 1024;

/**
 * The numbered messages to one page, over any number of sockets. Messages are kept until the page
 * has acknowledged them, so that a lost socket loses none.
 */
export class LiveSession {
  readonly id = randomUUID();
  readonly channel: Channel;
  /** By the database's clock, in milliseconds: which of two processes has the later one. */
  readonly beganAt: number;
  readonly #orgId: string;
  #outbox: Outbox | null = null;
  #socketGone = new AbortController();
  readonly #kept: KeptMessages;
  #sequence = 0;

  constructor(channel: Channel, orgId: string, beganAt = 0) {
    this.channel = channel;
    this.beganAt = beganAt;
    this.#orgId = orgId;
    this.#kept = new KeptMessages(orgId);
  }

  get socket(): WebSocket | null {
    return this.#outbox?.socket ?? null;
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
    return this.#kept.hasAllAfter(sequence) && sequence <= this.#sequence;
  }

  /** Attaches the page's socket, and sends the welcome and all messages after `after`. */
  attach(socket: WebSocket, welcome: Welcome, after: number): void {
    this.#outbox?.close(4411, 'replaced');
    const outbox = new Outbox(socket, this.#orgId);
    this.#outbox = outbox;
    if (this.#socketGone.signal.aborted) this.#socketGone = new AbortController();
    outbox.send(JSON.stringify(welcome));
    for (const { sequence, said } of this.#kept.after(after)) outbox.say(sequence, said);
  }

  /** @returns whether the socket was the one of this session */
  detach(socket: WebSocket): boolean {
    if (this.socket !== socket) return false;
    this.#outbox = null;
    this.#socketGone.abort('gone');
    this.#kept.forgetSurplus(true);
    return true;
  }

  send(message: Outgoing): void {
    // Outdated when the page comes back.
    if (message.type === 'interim-caption' && !this.#outbox) return;
    this.#sequence += 1;
    const said = saidOf(message);
    this.#kept.keep(this.#sequence, said, this.#socketGone.signal.aborted);
    const isOwnCopy = said.length > longestOwnCopy && isGreeting(message);
    if (isOwnCopy) this.acknowledged(this.#sequence);
    this.#outbox?.say(this.#sequence, said);
  }

  /** Answers a ping, after what was sent before. */
  pong(): void {
    this.#outbox?.send('{"type":"pong"}');
  }

  acknowledged(sequence: number): void {
    this.#kept.acknowledged(sequence);
  }

  /** Ends the session. */
  close(code: number, reason: string): void {
    this.#outbox?.close(code, reason);
    this.#outbox = null;
    this.#socketGone.abort('closed');
    this.#kept.end();
  }
}

/** Whether a message answers one page with what is stored, and is made for that page alone. */
const isGreeting = (message: Outgoing): boolean =>
  message.type === 'checklist' ||
  message.type === 'chat-history' ||
  (message.type === 'note' && message.vector !== undefined);
