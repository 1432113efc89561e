import { tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { Config } from '#server/config.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { NotAdmitted } from './admit-participant.ts';

/**
 * Messages that read much, or make the server look up other participants. Pages send them when they
 * reconnect, and hosts by hand.
 */
const costly = new Set<ToServer['type']>([
  'chat-since',
  'notes-since',
  'admit',
  'refuse',
  'tell-waiting',
  'mute',
  'lock',
  'remove',
]);
/** Messages that go on to everyone in the room, and cost as much as there are participants. */
const published = new Set<ToServer['type']>(['join', 'media', 'chat', 'react', 'check', 'note']);

/** Of an account, over all its sockets. */
const ofAccount = {
  costly: { burst: 40, perSecond: 2 },
  published: { burst: 2_000, perSecond: 500 },
  bytes: { burst: 8_000_000, perSecond: 512_000 },
};
/** Of a session of staff, of an account, and of a guest's token: each hello is looked up, and its page receives everything that it missed. */
const hellos = { burst: 60, perSecond: 3 };
/** Of all guests of an organization, who take turns by room and address. */
const ofGuests = {
  costly: { burst: 120, perSecond: 6 },
  published: { burst: 10_000, perSecond: 2_000 },
};
/** Of the guests of one link and address. */
const ofGuestLink = {
  bytes: { burst: 4_000_000, perSecond: 256_000 },
  hellos: { burst: 400, perSecond: 20 },
};

/** A message that waits for its turn. */
export interface Asking {
  claims: MeetingClaims;
  type: ToServer['type'];
  /** Of the socket. */
  address: string;
  /** Participants of the room on this process. */
  participants: number;
  /** Aborted when the socket closes. */
  closed: AbortSignal;
}

/**
 * Bounds the work of all sockets of an account, and of an organization's guests. Messages beyond the
 * bounds wait for their turn, and with them what the same socket sends next; a hello beyond them is told to
 * try again later. Scaled like the rate limits.
 */
export class WorkBudget {
  readonly #accounts: Record<'costly' | 'published', PacedTurns>;
  readonly #guests: Record<'costly' | 'published', PacedTurns>;
  readonly #bytes: Record<MeetingClaims['kind'], Allowance>;
  readonly #hellos: Allowance;
  readonly #hellosOfGuestLink: Allowance;

  constructor({ RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    this.#accounts = {
      costly: new PacedTurns(ofAccount.costly, scale),
      published: new PacedTurns(ofAccount.published, scale),
    };
    this.#guests = {
      costly: new PacedTurns(ofGuests.costly, scale),
      published: new PacedTurns(ofGuests.published, scale),
    };
    this.#bytes = {
      staff: new Allowance(ofAccount.bytes, scale),
      guest: new Allowance(ofGuestLink.bytes, scale),
    };
    this.#hellos = new Allowance(hellos, scale);
    this.#hellosOfGuestLink = new Allowance(ofGuestLink.hellos, scale);
  }

  /** Waits for the turn of a message. @returns false if the socket closed before the turn came */
  async turn({ claims, type, address, participants, closed }: Asking): Promise<boolean> {
    const kind = costly.has(type) ? 'costly' : published.has(type) ? 'published' : null;
    if (kind === null) return true;
    const cost = kind === 'published' ? participants : 1;
    if (claims.kind === 'staff') {
      return this.#accounts[kind].turn(claims.accountId, claims.participantId, closed, cost);
    }
    const member = `${claims.roomId} ${addressKey(address)}`;
    return this.#guests[kind].turn(claims.orgId, member, closed, cost);
  }

  /** Whether so many bytes may be received; the socket is cut off otherwise. */
  letsBytes(claims: MeetingClaims, address: string, bytes: number): boolean {
    return this.#bytes[claims.kind].take(senderOf(claims, address), bytes) === 0;
  }

  /**
   * Counts a hello before its token is looked up: that of staff by the session of the token, since a
   * token that was revoked must not use up what its account has.
   * @throws NotAdmitted 1013
   */
  hello(claims: MeetingClaims, address: string): void {
    if (claims.kind === 'staff') {
      takeHello(this.#hellos, claims.sessionId);
      return;
    }
    takeHello(this.#hellos, claims.participantId);
    takeHello(this.#hellosOfGuestLink, senderOf(claims, address));
  }

  /** Counts a hello whose token was accepted, by its account. @throws NotAdmitted 1013 */
  admitted(claims: MeetingClaims): void {
    if (claims.kind === 'staff') takeHello(this.#hellos, claims.accountId);
  }
}

function takeHello(allowance: Allowance, key: string): void {
  if (allowance.take(key, 1) > 0) throw new NotAdmitted(tryAgainLater, 'too many connections');
}

const senderOf = (claims: MeetingClaims, address: string): string =>
  claims.kind === 'staff' ? claims.accountId : `${claims.guestLinkId} ${addressKey(address)}`;
