import { longestChatMessage, longestLobbyLine, type ToServer } from '#domain/calls/live.ts';
import { longestSignalBytes } from '#domain/calls/signal.ts';

/** How much a socket may send at once, in messages, and how much of that comes back each second. */
const capacity = 2000;
const perSecond = 200;
/** Messages that are passed on cost the others something, too. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
const relayedCost = 4;
/** This many characters of notes cost as much as one message. */
const charactersOfMessage = 4096;

/** Of one UTF-16 unit in JSON, as an escape. */
const bytesOfCharacter = 6;
const otherFields = 512;
const longestName = 1000 * bytesOfCharacter + otherFields;

/** Bytes of the longest message of each type that a page sends. Notes have bounds of their own (notes.ts). */
const longest: Record<ToServer['type'], number> = {
  hello: 32 * 1024,
  ping: 256,
  signal: longestSignalBytes,
  watch: otherFields,
  media: otherFields,
  join: longestName,
  leave: otherFields,
  'media-lost': otherFields,
  chat: longestChatMessage * bytesOfCharacter + otherFields,
  'chat-since': otherFields,
  mute: otherFields,
  remove: otherFields,
  lock: otherFields,
  admit: 8 * 1024,
  refuse: otherFields,
  'tell-waiting': longestLobbyLine * bytesOfCharacter + otherFields,
  react: otherFields,
  check: otherFields,
  note: Number.POSITIVE_INFINITY,
  'notes-since': Number.POSITIVE_INFINITY,
};

/** Bytes of the longest message of a socket that may not edit notes, so that longer ones are not parsed. */
export const longestOfGuests = longest.hello;

export const isTooLong = (message: ToServer, bytes: number) =>
  bytes > longest[message.type] ||
  (message.type === 'hello' && bytesOf(message.offer) > longestSignalBytes);

const bytesOf = (value: unknown) =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

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
    this.#left -= relayed.has(type) ? relayedCost : 1;
    if (longest[type] === Number.POSITIVE_INFINITY) this.#left -= characters / charactersOfMessage;
    return this.#left >= 0;
  }
}
