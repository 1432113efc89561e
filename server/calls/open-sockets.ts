import type { WebSocket } from 'ws';
import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Channel } from '#domain/calls/participant.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { type Reader, UnreadBytes } from '#server/platform/unread-bytes.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import type { Outgoing } from './room-events.ts';

/** One person with two sockets in each of 25 tabs. */
const mostOfAccount = 50;
/** Guests of one organization and network address: their sockets take memory, however many rooms they are in. */
const mostGuestsOfAddress = 200;
/** Each note and tick is sent to every panel of the room. */
const mostPanelsOfRoom = 200;
/** Bytes waiting for all sockets of one organization, and in total. The slowest are cut first. */
const unreadBounds = { perKey: 32 * 1024 * 1024, inAll: 128 * 1024 * 1024 };
/**
 * Bytes that may wait for one socket before a message is added: as much as sixteen participants of
 * a call may have relayed to it at the same moment (relay-budget.ts). All sockets of an
 * organization together have a separate bound.
 */
const mostUnsentBytes = 8_000_000;
/**
 * Consecutive checks, one a second, at which none of the waiting bytes were taken. Pages themselves
 * give up sooner.
 */
const mostStalledLooks = 15;
/** A longer message is sent in two frames, the second of which is the same Buffer for all. */
const longBytes = 16 * 1024;

const unread = new UnreadBytes(unreadBounds);

/** Counts the sockets whose token was accepted, and cuts those that do not read their messages. */
export class OpenSockets {
  readonly #counts = new Map<string, number>();
  readonly #mostGuestsOfAddress: number;
  readonly #known = new WeakSet<WebSocket>();

  /** Scaled like the rate limits. */
  constructor({ RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    this.#mostGuestsOfAddress = mostGuestsOfAddress * scale;
  }

  /**
   * Takes a place for a socket that sent hello, until it closes.
   * @throws NotAdmitted when its account, its organization's guests of this address, or the panels of its room
   * have too many
   */
  takePlace(socket: WebSocket, { claims }: Admitted, channel: Channel, address: string): void {
    if (this.#known.has(socket) || socket.readyState !== socket.OPEN) return;
    const places: [key: string, most: number][] = [];
    if (claims.kind === 'staff') places.push([claims.accountId, mostOfAccount]);
    else places.push([`${claims.orgId} ${addressKey(address)}`, this.#mostGuestsOfAddress]);
    if (channel === 'panel') places.push([claims.roomId, mostPanelsOfRoom]);
    this.#take(socket, claims.orgId, places);
  }

  /**
   * Takes a place for a browser's socket of notices, among the sockets of its account.
   * @throws NotAdmitted
   */
  takeNoticePlace(socket: WebSocket, orgId: OrgId, account: AccountId): void {
    if (socket.readyState === socket.OPEN) this.#take(socket, orgId, [[account, mostOfAccount]]);
  }

  #take(socket: WebSocket, orgId: OrgId, places: [key: string, most: number][]): void {
    if (places.some(([key, most]) => this.#countOf(key) >= most)) {
      throw new NotAdmitted(closeCodes.flooding, 'too many connections');
    }
    this.#known.add(socket);
    for (const [key] of places) this.#counts.set(key, this.#countOf(key) + 1);
    const stop = unread.watch(readerOf(socket, orgId));
    socket.once('close', () => {
      stop();
      for (const [key] of places) this.#leave(key);
    });
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #leave(key: string): void {
    const left = this.#countOf(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/**
 * Returns the reader of a socket, which is late once none of the waiting bytes were taken for
 * fifteen seconds.
 */
export function readerOf(
  socket: Pick<WebSocket, 'bufferedAmount' | 'readyState' | 'CLOSED' | 'terminate'>,
  orgId: string,
): Reader {
  const keys = [orgId];
  let stalled = 0;
  let before = 0;
  return {
    keys: () => keys,
    waiting: () => {
      const waiting = socket.readyState === socket.CLOSED ? 0 : socket.bufferedAmount;
      if (waiting === 0) stalled = 0;
      return waiting;
    },
    isLate: () => {
      stalled = socket.bufferedAmount < before ? 0 : stalled + 1;
      before = socket.bufferedAmount;
      return stalled > mostStalledLooks;
    },
    cut: () => socket.terminate(),
  };
}

/**
 * A serialized message: JSON without its opening brace and the number that each session adds. A
 * long one is a Buffer, shared by all sockets and sessions.
 */
export type Said = string | Buffer;

const known = new WeakMap<Outgoing, Said>();

/** Serializes a message once, for all sessions that receive it. */
export function saidOf(message: Outgoing): Said {
  const found = known.get(message);
  if (found !== undefined) return found;
  const text = JSON.stringify(message).slice(1);
  const said = text.length > longBytes ? Buffer.from(text) : text;
  known.set(message, said);
  unread.added(text.length);
  return said;
}

/**
 * Sends a message with its number. A socket with too many waiting bytes is closed instead; its page
 * may reconnect.
 */
export function say(
  socket: Pick<WebSocket, 'bufferedAmount' | 'send' | 'terminate'>,
  sequence: number,
  said: Said,
): void {
  const head = `{"sequence":${sequence},`;
  if (socket.bufferedAmount > mostUnsentBytes) socket.terminate();
  else if (typeof said === 'string') socket.send(head + said);
  else {
    socket.send(head, { fin: false });
    socket.send(said, { binary: false, fin: true });
  }
}
