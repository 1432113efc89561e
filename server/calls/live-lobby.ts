import type { WebSocket } from 'ws';
import {
  closeCodes,
  mostInPreviewOfAddress,
  type ToBrowser,
  type ToServer,
} from '#domain/calls/live.ts';
import type { RoomId } from '#domain/ids.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { listenToLobbies, tellLobbyChange } from '#server/rooms/lobby-events.ts';
import {
  type MeetingClaims,
  mintMeetingToken,
  resumeTokenSeconds,
} from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, admitParticipant, NotAdmitted } from './admit-participant.ts';
import { guestName } from './guest-name.ts';
import { iceServers } from './ice-servers.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';
import { askToComeIn, leaveLobby, listWaiting, seeWaiting } from './lobby.ts';
import { listenToRoom } from './room-events.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/** A page that pings more often than this is not looked up each time. */
const lookUpSeconds = 4;
/** Not an error for the page: it says hello again. */
const sayHelloAgain = 1012;

/**
 * The page of a guest who is not in, in the preview or in the lobby: it hears whether a host is there
 * and of its own wait, and of nothing else.
 */
export interface Waiting {
  socket: WebSocket;
  /** As it was when it was looked up last. */
  admitted: Admitted;
  hello: Hello;
  address: string;
  /** Null in the preview: this guest has not asked to be let in. */
  since: string | null;
  /** Made once: the credentials in it differ each time. */
  iceServers: ReturnType<typeof iceServers> | null;
  /** What the page was told last, so that it hears only of what is new. */
  told: string;
  lookedUpAt: number;
  /** One look or step after the other. */
  work: Promise<void>;
  /** A look is queued and has not begun: it will see what has changed until then. */
  willLook: boolean;
  stopListening: () => void;
  isOver: boolean;
}

/** A list of a lobby on its way to the hosts. */
interface Telling {
  /** Something has changed since it was read. */
  again: boolean;
  work: Promise<void>;
}

/** The lobbies as this process sees them: guests who wait on it, and hosts who are told of the others'. */
export class LiveLobby {
  readonly #services: Services;
  readonly #rooms: LiveRooms;
  readonly #waiting = new Set<Waiting>();
  /** By room: lists go out in the order in which they were read, and one tells of all changes before it. */
  readonly #telling = new Map<RoomId, Telling>();
  readonly #stopListening: () => void;

  constructor(services: Services, rooms: LiveRooms) {
    this.#services = services;
    this.#rooms = rooms;
    this.#stopListening = listenToLobbies(services.bus, ({ roomId }) => {
      for (const one of this.#waiting) {
        if (one.admitted.claims.roomId === roomId) this.#lookSoon(one);
      }
      this.#tellHosts(roomId);
    });
  }

  /**
   * Keeps a guest's page outside. A hello with media asks to be let in at once.
   * @throws NotAdmitted where too many of this link and address are in the preview
   */
  async hold(
    socket: WebSocket,
    admitted: Admitted,
    hello: Hello,
    address: string,
  ): Promise<Waiting> {
    const { secrets } = this.#services;
    const token = await mintMeetingToken(secrets, admitted.claims, resumeTokenSeconds);
    // In the same turn as the guest is added: many may come at the same moment.
    this.#refuseCrowd(admitted.claims, address);
    const waiting: Waiting = {
      socket,
      admitted,
      hello: { ...hello, token },
      address,
      since: null,
      iceServers: null,
      told: '',
      lookedUpAt: 0,
      work: Promise.resolve(),
      willLook: false,
      stopListening: () => undefined,
      isOver: false,
    };
    this.#followEnd(waiting);
    this.#waiting.add(waiting);
    await this.#queue(waiting, () =>
      hello.media ? this.#ask(waiting, hello.name) : this.#show(waiting, admitted, null),
    );
    return waiting;
  }

  /** What a page may say from outside; the rest goes nowhere. */
  async hear(waiting: Waiting, said: ToServer): Promise<void> {
    if (said.type === 'ping') {
      waiting.socket.send('{"type":"pong"}');
      if (Date.now() - waiting.lookedUpAt < lookUpSeconds * 1000) return;
      // What may have ended for somebody in the preview is told (lookAgainAt), or found when they join.
      await this.#queue(waiting, () =>
        waiting.since === null ? this.#show(waiting, waiting.admitted, null) : this.#look(waiting),
      );
    } else if (said.type === 'join' && waiting.since === null) {
      await this.#queue(waiting, () => this.#ask(waiting, said.name));
    } else if (said.type === 'leave') {
      await this.gone(waiting);
      waiting.socket.close(1000, 'left');
    }
  }

  /** The page is closed, or its line lost: the place is kept for a while. */
  async gone(waiting: Waiting): Promise<void> {
    if (!this.#release(waiting)) return;
    await waiting.work;
    if (waiting.since === null) return;
    const { tenant, claims } = waiting.admitted;
    try {
      const wasThere = await leaveLobby(tenant, claims.participantId);
      if (wasThere) tellLobbyChange(this.#services.bus, { roomId: claims.roomId, switched: false });
    } catch (error) {
      this.#services.log.error({ err: error }, 'a guest’s leaving the lobby was not noted');
    }
  }

  /** The page says hello again: what was before is over, and the place stays. */
  async replaced(waiting: Waiting): Promise<void> {
    this.#release(waiting);
    await waiting.work;
  }

  /** Something of these guests may have ended: who may not come in any more is told so. */
  lookAgainAt(concerns: (claims: MeetingClaims) => boolean): void {
    for (const one of this.#waiting) {
      if (concerns(one.admitted.claims)) this.#lookSoon(one);
    }
  }

  /** Shows a host who has just come who waits. */
  greet(person: Person): void {
    const { hasLobby, mayEdit, claims } = person.admitted;
    if (hasLobby && mayEdit) this.#tellHosts(claims.roomId);
  }

  async close(): Promise<void> {
    this.#stopListening();
    await Promise.all([...this.#waiting].map(({ work }) => work));
    for (const { socket, stopListening } of this.#waiting) {
      stopListening();
      socket.close(sayHelloAgain, 'server restarts');
    }
    this.#waiting.clear();
    await Promise.all([...this.#telling.values()].map(({ work }) => work));
  }

  /** A guest in a hosted preview is out of our sight, and could walk into a call that is over. */
  #followEnd(waiting: Waiting): void {
    const { bus, video } = this.#services;
    if (!video.page) return;
    const { roomId } = waiting.admitted.claims;
    const subscription = listenToRoom(bus, roomId, ({ message }) => {
      if (message?.type === 'call-ended') waiting.socket.close(closeCodes.callEnded, 'call ended');
    });
    waiting.stopListening = subscription.stop;
  }

  #release(waiting: Waiting): boolean {
    waiting.isOver = true;
    waiting.stopListening();
    return this.#waiting.delete(waiting);
  }

  #queue(waiting: Waiting, step: () => Promise<void>): Promise<void> {
    waiting.work = waiting.work
      .then(() => (waiting.isOver ? undefined : step()))
      .catch((error) => this.#end(waiting, error));
    return waiting.work;
  }

  /** Any number of changes before the look begins need one look. */
  #lookSoon(waiting: Waiting): void {
    if (waiting.willLook) return;
    waiting.willLook = true;
    void this.#queue(waiting, () => {
      waiting.willLook = false;
      return this.#look(waiting);
    });
  }

  async #ask(waiting: Waiting, name: string | undefined): Promise<void> {
    const { tenant, claims } = waiting.admitted;
    // The lock, say, may have come while the person was in the preview.
    const { isHeld } = await this.#admission(waiting);
    if (!isHeld) return this.#tell(waiting, { type: 'let-in' });
    const since = await askToComeIn(tenant, claims, guestName(name), waiting.address);
    if (since === null) return this.#look(waiting);
    waiting.since = since.toISOString();
    await this.#look(waiting);
    tellLobbyChange(this.#services.bus, { roomId: claims.roomId, switched: false });
  }

  /** Where this guest stands now, by what the database says. @throws NotAdmitted */
  async #look(waiting: Waiting): Promise<void> {
    const { tenant, claims } = waiting.admitted;
    const admitted = await this.#admission(waiting);
    if (waiting.since === null) return this.#show(waiting, admitted, null);
    if (!admitted.isHeld) return this.#tell(waiting, { type: 'let-in' });
    const seen = await seeWaiting(tenant, claims.participantId);
    if (seen?.tooLong) throw new NotAdmitted(closeCodes.waitedTooLong, 'waited too long');
    if (seen?.wasAway)
      tellLobbyChange(this.#services.bus, { roomId: claims.roomId, switched: false });
    return this.#show(waiting, admitted, seen?.said ?? null);
  }

  async #show(waiting: Waiting, admitted: Admitted, said: string | null): Promise<void> {
    const { bus, config } = this.#services;
    const { claims, isHeld, waitingText } = admitted;
    waiting.admitted = admitted;
    waiting.lookedUpAt = Date.now();
    if (!isHeld) waiting.iceServers ??= iceServers(config, claims.participantId);
    const present = await bus.presence.list(claims.roomId);
    this.#tell(waiting, {
      type: 'waiting',
      since: waiting.since,
      mustAsk: isHeld,
      ...(isHeld && waitingText !== null && { text: waitingText }),
      ...(!isHeld && waiting.iceServers && { iceServers: waiting.iceServers }),
      hostIsHere: present.some(({ kind, inMeeting }) => kind === 'staff' && inMeeting),
      said,
      token: waiting.hello.token,
    });
  }

  /** Those who have asked are counted in the database (lobby.ts). @throws NotAdmitted */
  #refuseCrowd(claims: MeetingClaims, address: string): void {
    const from = addressKey(address);
    const near = [...this.#waiting].filter(
      (one) =>
        one.since === null &&
        isSameLink(one.admitted.claims, claims) &&
        addressKey(one.address) === from,
    );
    if (near.length >= mostInPreviewOfAddress) {
      throw new NotAdmitted(closeCodes.crowded, 'too many of this address');
    }
  }

  #admission({ hello, address }: Waiting): Promise<Admitted> {
    return admitParticipant(this.#services, hello, address);
  }

  #tell(waiting: Waiting, message: ToBrowser): void {
    const text = JSON.stringify(message);
    if (text === waiting.told) return;
    waiting.told = text;
    waiting.socket.send(text);
  }

  #end(waiting: Waiting, error: unknown): void {
    if (error instanceof NotAdmitted) {
      waiting.socket.close(error.closeCode, error.message);
    } else {
      this.#services.log.error({ err: error }, 'a waiting guest could not be looked after');
      waiting.socket.close(1011, 'internal error');
    }
  }

  #tellHosts(roomId: RoomId): void {
    const found = this.#telling.get(roomId);
    if (found) {
      found.again = true;
      return;
    }
    const telling: Telling = { again: false, work: Promise.resolve() };
    this.#telling.set(roomId, telling);
    telling.work = this.#listUntilQuiet(roomId, telling);
  }

  async #listUntilQuiet(roomId: RoomId, telling: Telling): Promise<void> {
    do {
      telling.again = false;
      await this.#listTo(roomId).catch((error) =>
        this.#services.log.error({ err: error }, 'a lobby could not be listed'),
      );
    } while (telling.again);
    this.#telling.delete(roomId);
  }

  async #listTo(roomId: RoomId): Promise<void> {
    const hosts = () =>
      this.#rooms
        .everybody()
        .filter(({ admitted }) => admitted.mayEdit && admitted.claims.roomId === roomId);
    const [host] = hosts();
    if (!host) return;
    const { guests, hidden } = await listWaiting(host.admitted.tenant, roomId);
    const message = { type: 'lobby' as const, guests, ...(hidden > 0 && { hidden }) };
    for (const { sessions } of hosts()) sessions.get('meeting')?.send(message);
  }
}

const isSameLink = (one: MeetingClaims, other: MeetingClaims) =>
  one.kind === 'guest' && other.kind === 'guest' && one.guestLinkId === other.guestLinkId;
