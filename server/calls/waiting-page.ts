import type { WebSocket } from 'ws';
import { mostInPreviewOfAddress, type ToServer } from '#domain/calls/live.ts';
import { addressKey } from '#server/platform/address-key.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Admitted } from './admit-participant.ts';
import type { iceServers } from './ice-servers.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/**
 * The page of a guest who is not in the meeting, but in the preview or the lobby. It receives
 * whether a host is there and the state of its own wait, and nothing else.
 */
export interface Waiting {
  socket: WebSocket;
  /** The result of the last query. */
  admitted: Admitted;
  hello: Hello;
  address: string;
  /** Null in the preview: this guest has not asked to be admitted. */
  since: string | null;
  /** Created once, because the credentials in it differ each time. */
  iceServers: ReturnType<typeof iceServers> | null;
  /** The last message to the page, so that it receives only changes. */
  told: string;
  lookedUpAt: number;
  /** Runs one query or step after the other. */
  work: Promise<void>;
  /** A query is queued and has not begun: it will include all changes until then. */
  willLook: boolean;
  /** The turns for a query that are waited for: as one of all in the room, or by name. */
  awaitsTurn: Set<'all' | 'named'>;
  stopListening: () => void;
  /** Aborted when the page is gone. */
  end: AbortController;
}

/**
 * Returns whether too many of a link and address are in the preview. Guests who have asked are counted in
 * the database (lobby.ts).
 */
export function isCrowded(
  waiting: Iterable<Waiting>,
  claims: MeetingClaims,
  address: string,
): boolean {
  const from = addressKey(address);
  const near = [...waiting].filter(
    (one) =>
      one.since === null &&
      isSameLink(one.admitted.claims, claims) &&
      addressKey(one.address) === from,
  );
  return near.length >= mostInPreviewOfAddress;
}

const isSameLink = (one: MeetingClaims, other: MeetingClaims) =>
  one.kind === 'guest' && other.kind === 'guest' && one.guestLinkId === other.guestLinkId;
