import type { ToServer } from '#domain/calls/live.ts';
import { messageBounds } from './message-bounds.ts';

/** How much a socket may send at once, in messages, and how much of that comes back each second. */
const capacity = 2000;
const perSecond = 200;
/** Messages that are passed on cost the others something, too. */
const relayedCost = 4;
/** This many characters of notes cost as much as one message. */
const charactersOfMessage = 4096;

/** Counts the messages of one socket: one that sends more than a page ever does is cut off before others notice. */
export class MessageRateLimiter {
  #left = capacity;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** @returns whether this message is still within what a page may send */
  lets(type: ToServer['type'], now: number, characters = 0): boolean {
    const seconds = Math.max(0, now - this.#countedAt) / 1000;
    this.#left = Math.min(capacity, this.#left + seconds * perSecond);
    this.#countedAt = now;
    const { cost, longest } = messageBounds[type];
    this.#left -= cost === 'relayed' ? relayedCost : 1;
    if (longest === Number.POSITIVE_INFINITY) this.#left -= characters / charactersOfMessage;
    return this.#left >= 0;
  }
}
