import { longestSignalBytes, type ToServer } from '#domain/calls/live.ts';

/** Burst of one socket, and its refill per second. */
const capacity = 2000;
const perSecond = 200;
/** Relayed messages cost more, because other sockets receive them, too. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
const relayedCost = 4;
/** This many characters of notes cost as much as one message. */
const charactersOfMessage = 4096;
/** Only notes may be longer than this. */
const longestMessage = 200_000;
const mayBeLong = new Set<ToServer['type']>(['note', 'notes-since']);

export const isTooLong = (message: ToServer, bytes: number) =>
  (bytes > longestMessage && !mayBeLong.has(message.type)) ||
  (message.type === 'signal' && bytes > longestSignalBytes) ||
  (message.type === 'hello' && bytesOf(message.offer) > longestSignalBytes);

const bytesOf = (value: unknown) =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/**
 * Counts the messages of one socket, so that one that exceeds what a page sends is closed before
 * others are affected.
 */
export class MessageRateLimiter {
  #left = capacity;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** @returns whether this message is within the limit */
  lets(type: ToServer['type'], now: number, characters = 0): boolean {
    const seconds = Math.max(0, now - this.#countedAt) / 1000;
    this.#left = Math.min(capacity, this.#left + seconds * perSecond);
    this.#countedAt = now;
    this.#left -= relayed.has(type) ? relayedCost : 1;
    if (mayBeLong.has(type)) this.#left -= characters / charactersOfMessage;
    return this.#left >= 0;
  }
}
