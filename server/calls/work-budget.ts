import { tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { Config } from '#server/config.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { Allowance } from '#server/platform/allowance.ts';
import {
  type OrganizationTime,
  organizationTime,
  payerOf,
} from '#server/platform/organization-time.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import { NotAdmitted } from './admit-participant.ts';
import { messageBounds } from './message-bounds.ts';

/** Of an account, over all its sockets. Published messages cost as much as there are pages that receive them. */
const ofAccount = {
  costly: { burst: 40, perSecond: 2 },
  published: { burst: 2_000, perSecond: 500 },
  bytes: { burst: 8_000_000, perSecond: 512_000 },
};
/** Of the guests of a room, whose addresses take turns. */
const ofGuestsInRoom = { published: { burst: 10_000, perSecond: 2_000 } };
/** Of all guests of an organization, whose rooms take turns, and for costly messages their addresses, too. */
const ofGuests = {
  costly: { burst: 400, perSecond: 6 },
  published: { burst: 40_000, perSecond: 6_000 },
};
/** Of one guest in a meeting, and of all previews of a link and address. */
const bytesOfGuest = { burst: 1_000_000, perSecond: 100_000 };
const bytesOfPreviews = { burst: 2_000_000, perSecond: 128_000 };
/**
 * Messages of all kinds of an organization's staff, and of its guests. Each socket may send 200 a second, but five
 * hundred sockets that do so keep the server's thread busy. A thousand people in calls send a tenth of it.
 */
const messages = { burst: 10_000, perSecond: 3_000 };
/**
 * Of a session of staff, of an account, and of a guest's token: each hello is looked up, and its page
 * receives everything that it missed.
 */
const hellos = { burst: 60, perSecond: 3 };
/** Of an organization's guests of one address, by all its links. */
const hellosOfGuests = { burst: 100, perSecond: 10 };

/** The signal of messages that do not wait. Made once, because each `abort` makes an Error. */
const withoutWaiting = AbortSignal.abort();

type GuestClaims = Extract<MeetingClaims, { kind: 'guest' }>;

/** A message that waits for its turn. */
export interface Asking {
  claims: MeetingClaims;
  type: ToServer['type'];
  /** That of the type, unless it costs more where the sender is. */
  cost?: 'costly';
  /** Of the socket. */
  address: string;
  /** How many pages receive what it publishes in the room; undefined if it does not. */
  receivers: number | undefined;
  /** Aborted when the socket closes. */
  closed: AbortSignal;
}

type Caption = Pick<Asking, 'claims' | 'address' | 'closed'> & { receivers: number };

/**
 * Bounds the work of all sockets of an account, and of an organization's guests. Messages beyond the
 * bounds wait for their turn, and with them what the same socket sends next; a hello beyond them is told to
 * try again later. Scaled like the rate limits.
 */
export class WorkBudget {
  readonly #accounts: Record<'costly' | 'published', PacedTurns>;
  readonly #guests: Record<'costly' | 'published', PacedTurns>;
  readonly #guestsInRooms: PacedTurns;
  /** Apart from messages, which they do not delay, and words so far apart from captions. */
  readonly #speech: Record<
    'captions' | 'interim',
    Record<'account' | 'room' | 'guests', PacedTurns>
  >;
  readonly #bytes: Record<'account' | 'guest' | 'previews', Allowance>;
  readonly #messages: PacedTurns;
  readonly #time: OrganizationTime;
  readonly #hellos: Allowance;
  readonly #hellosOfGuests: Allowance;

  constructor(config: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    const scale = config.RATE_LIMIT_SCALE;
    this.#time = organizationTime(config);
    this.#accounts = {
      costly: new PacedTurns(ofAccount.costly, scale),
      published: new PacedTurns(ofAccount.published, scale),
    };
    this.#guests = {
      costly: new PacedTurns(ofGuests.costly, scale),
      published: new PacedTurns(ofGuests.published, scale),
    };
    this.#guestsInRooms = new PacedTurns(ofGuestsInRoom.published, scale);
    const speech = () => ({
      account: new PacedTurns(ofAccount.published, scale),
      room: new PacedTurns(ofGuestsInRoom.published, scale),
      guests: new PacedTurns(ofGuests.published, scale),
    });
    this.#speech = { captions: speech(), interim: speech() };
    this.#bytes = {
      account: new Allowance(ofAccount.bytes, scale),
      guest: new Allowance(bytesOfGuest, scale),
      previews: new Allowance(bytesOfPreviews, scale),
    };
    this.#messages = new PacedTurns(messages, scale);
    this.#hellos = new Allowance(hellos, scale);
    this.#hellosOfGuests = new Allowance(hellosOfGuests, scale);
  }

  /**
   * Counts a message before it is read, whatever it is.
   * @returns null if it need not wait; else whether its turn has come before `closed` was aborted
   */
  messageTurn(
    claims: MeetingClaims | undefined,
    { address, closed }: Pick<Asking, 'address' | 'closed'>,
  ): Promise<boolean> | null {
    if (!claims) return null;
    const { orgId, kind } = claims;
    const payer = payerOf(claims);
    const group = `${orgId} ${kind}`;
    const member =
      claims.kind === 'staff' ? claims.accountId : `${claims.roomId} ${addressKey(address)}`;
    if (this.#messages.starts(group)) {
      if (this.#time.starts(orgId, payer, 'message')) return null;
      return this.#time.turn(orgId, payer, 'message', member, closed);
    }
    return this.#messages
      .turn(group, member, closed)
      .then((isTurn) => isTurn && this.#time.turn(orgId, payer, 'message', member, closed));
  }

  /**
   * Waits for the turn of a message.
   * @returns false if the socket closed before a turn that had to be waited for
   */
  async turn(asking: Asking): Promise<boolean> {
    const cost = asking.cost ?? messageBounds[asking.type].cost;
    if (cost === 'costly' && !(await this.#costlyTurn(asking))) return false;
    return asking.receivers === undefined || this.#publishedTurn(asking, asking.receivers);
  }

  #costlyTurn({ claims, address, closed }: Asking): Promise<boolean> {
    if (claims.kind === 'staff') {
      return this.#accounts.costly.turn(claims.accountId, claims.participantId, closed);
    }
    const from = `${claims.roomId} ${addressKey(address)}`;
    return this.#guests.costly.turn(claims.orgId, from, closed);
  }

  async #publishedTurn(
    { claims, type, address, closed }: Asking,
    receivers: number,
  ): Promise<boolean> {
    // It costs something even if the room is empty.
    const cost = Math.max(1, receivers);
    if (claims.kind === 'staff') {
      return this.#accounts.published.turn(claims.accountId, claims.participantId, closed, cost);
    }
    const { orgId, roomId } = claims;
    const from = addressKey(address);
    const until = messageBounds[type].isDropped ? withoutWaiting : closed;
    // First among the guests of the room, so that a large room takes no more turns than a small one.
    return (
      (await this.#guestsInRooms.turn(roomId, from, until, cost)) &&
      this.#guests.published.turn(orgId, roomId, until, cost)
    );
  }

  /**
   * Waits until what someone says may be told to so many pages, at the same bounds as what they write.
   * @returns false if `until` was aborted before a turn that had to be waited for
   */
  async captionTurn({ claims, address, receivers, closed }: Caption): Promise<boolean> {
    const { account, room, guests } = this.#speech.captions;
    const cost = Math.max(1, receivers);
    if (claims.kind === 'staff')
      return account.turn(claims.accountId, claims.participantId, closed, cost);
    const { orgId, roomId } = claims;
    return (
      (await room.turn(roomId, addressKey(address), closed, cost)) &&
      guests.turn(orgId, roomId, closed, cost)
    );
  }

  /** Whether someone's words so far may be told to so many pages now; they are dropped otherwise. */
  letsInterim(claims: MeetingClaims, receivers: number): boolean {
    const { account, room, guests } = this.#speech.interim;
    const cost = Math.max(1, receivers);
    if (claims.kind === 'staff') return account.starts(claims.accountId, cost);
    return room.starts(claims.roomId, cost) && guests.starts(claims.orgId, cost);
  }

  /** Whether so many bytes may be received; the socket is cut off otherwise. */
  letsBytes(claims: MeetingClaims, address: string, isInRoom: boolean, bytes: number): boolean {
    if (claims.kind === 'staff') return this.#bytes.account.take(claims.accountId, bytes) === 0;
    // Guests in a meeting do not pay for the previews behind the same address.
    if (isInRoom) return this.#bytes.guest.take(claims.participantId, bytes) === 0;
    return this.#bytes.previews.take(linkAndAddress(claims, address), bytes) === 0;
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
    takeHello(this.#hellosOfGuests, `${claims.orgId} ${addressKey(address)}`);
  }

  /** Counts a hello whose token was accepted, by its account. @throws NotAdmitted 1013 */
  admitted(claims: MeetingClaims): void {
    if (claims.kind === 'staff') takeHello(this.#hellos, claims.accountId);
  }
}

function takeHello(allowance: Allowance, key: string): void {
  if (allowance.take(key, 1) > 0) throw new NotAdmitted(tryAgainLater, 'too many connections');
}

const linkAndAddress = ({ guestLinkId }: GuestClaims, address: string): string =>
  `${guestLinkId} ${addressKey(address)}`;
