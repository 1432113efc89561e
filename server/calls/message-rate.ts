import { longestSignalBytes, type ToServer } from '#domain/calls/live.ts';

/** What one line may say at once, and how much of that comes back each second. */
const capacity = 2000;
const perSecond = 200;
/** What goes on to others costs them something, too. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
const relayedCost = 4;
/** So many characters of notes cost as much as a message. */
const charactersOfMessage = 4096;
/** Notes may be long; nothing else that a page says is. */
const longestMessage = 200_000;
const mayBeLong = new Set<ToServer['type']>(['note', 'notes-since']);

export const isTooLong = (message: ToServer, bytes: number) =>
  (bytes > longestMessage && !mayBeLong.has(message.type)) ||
  (message.type === 'signal' && bytes > longestSignalBytes) ||
  (message.type === 'hello' && bytesOf(message.offer) > longestSignalBytes);

const bytesOf = (value: unknown) =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/** Counts what one line says: who says more than a page ever does is cut off before others feel it. */
export class MessageRateLimiter {
  #left = capacity;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** @returns whether this message is still within what a page may say */
  lets(type: ToServer['type'], now: number, characters = 0): boolean {
    const seconds = Math.max(0, now - this.#countedAt) / 1000;
    this.#left = Math.min(capacity, this.#left + seconds * perSecond);
    this.#countedAt = now;
    this.#left -= relayed.has(type) ? relayedCost : 1;
    if (mayBeLong.has(type)) this.#left -= characters / charactersOfMessage;
    return this.#left >= 0;
  }
}
