import type { ToServer } from '#domain/calls/live.ts';
import { longestChatMessage, longestLobbyLine } from '#domain/calls/live-limits.ts';
import { longestSignalBytes } from '#domain/calls/signal.ts';

interface MessageBounds {
  /** Bytes of the longest one that a page sends. Notes have bounds of their own (notes.ts). */
  longest: number;
  /**
   * What it costs besides its bytes:
   * - `relayed`: others receive it (message-rate.ts, relay-budget.ts)
   * - `costly`: it reads much, or makes the server look up other participants (work-budget.ts)
   * - `own`: no more than that
   */
  cost: 'relayed' | 'costly' | 'own';
  /** It is for the moment: where it would have to wait, it is dropped. */
  isDropped?: true;
  /** It writes to the database, at the pace of its organization (socket-work.ts). */
  stores?: true;
}

/** Of one UTF-16 unit in JSON, as an escape. */
const bytesOfCharacter = 6;
const otherFields = 512;
const longestName = 1000 * bytesOfCharacter + otherFields;

/** The bounds of each message that a page sends. */
export const messageBounds: Record<ToServer['type'], MessageBounds> = {
  hello: { longest: 32 * 1024, cost: 'own' },
  ping: { longest: 256, cost: 'own' },
  signal: { longest: longestSignalBytes, cost: 'relayed' },
  watch: { longest: otherFields, cost: 'relayed' },
  media: { longest: otherFields, cost: 'relayed' },
  join: { longest: longestName, cost: 'relayed' },
  leave: { longest: otherFields, cost: 'own' },
  'media-lost': { longest: otherFields, cost: 'own' },
  chat: {
    longest: longestChatMessage * bytesOfCharacter + otherFields,
    cost: 'relayed',
    stores: true,
  },
  'chat-since': { longest: otherFields, cost: 'costly' },
  mute: { longest: otherFields, cost: 'costly' },
  remove: { longest: otherFields, cost: 'costly' },
  lock: { longest: otherFields, cost: 'costly' },
  admit: { longest: 8 * 1024, cost: 'costly' },
  refuse: { longest: otherFields, cost: 'costly' },
  'tell-waiting': { longest: longestLobbyLine * bytesOfCharacter + otherFields, cost: 'costly' },
  react: { longest: otherFields, cost: 'relayed', isDropped: true },
  check: { longest: otherFields, cost: 'own', stores: true },
  note: { longest: Number.POSITIVE_INFINITY, cost: 'own', stores: true },
  capture: { longest: otherFields, cost: 'costly' },
  consent: { longest: longestName, cost: 'costly' },
  'notes-since': { longest: Number.POSITIVE_INFINITY, cost: 'costly' },
};

/** Bytes of the longest message of a socket that may not edit notes, so that longer ones are not parsed. */
export const longestOfGuests = messageBounds.hello.longest;

export const isTooLong = (message: ToServer, bytes: number) =>
  bytes > messageBounds[message.type].longest ||
  (message.type === 'hello' && bytesOf(message.offer) > longestSignalBytes);

const bytesOf = (value: unknown) =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
