import type { WebSocket } from 'ws';
import { closeCodes, type ToBrowser, type ToServer } from '#domain/calls/live.ts';
import type { RoomId } from '#domain/ids.ts';
import { listenToLobbies, tellLobbyChange } from '#server/rooms/lobby-events.ts';
import {
  type MeetingClaims,
  mintMeetingToken,
  resumeTokenSeconds,
} from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, admitParticipant, guestName, NotAdmitted } from './admit-participant.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';
import { askToComeIn, leaveLobby, listWaiting, seeWaiting } from './lobby.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/** A page that pings more often than this is not looked up each time. */
const lookUpSeconds = 4;
/** Not an error for the page: it says hello again. */
const sayHelloAgain = 1012;

/** The page of a guest who is not in: it hears of its own wait, and of nothing else. */
export interface Waiting {
  socket: WebSocket;
  admitted: Admitted;
  hello: Hello;
  address: string;
  since: string | null;
  /** What the page was told last, so that it hears only of what is new. */
  told: string;
  lookedUpAt: number;
  /** One look or step after the other. */
  work: Promise<void>;
  isOver: boolean;
}

/** The lobbies as this process sees them: guests who wait on it, and hosts who are told of the others'. */
export class LiveLobby {
  readonly #services: Services;
  readonly #rooms: LiveRooms;
  readonly #waiting = new Set<Waiting>();
  /** By room: lists go out in the order in which they were read. */
  readonly #telling = new Map<RoomId, Promise<void>>();
  readonly #stopListening: () => void;

  constructor(services: Services, rooms: LiveRooms) {
    this.#services = services;
    this.#rooms = rooms;
    this.#stopListening = listenToLobbies(services.bus, ({ roomId, switched }) => {
      if (switched) this.#sendAwayFromPreview(roomId);
      for (const one of this.#waiting) {
        if (one.admitted.claims.roomId === roomId) void this.#queue(one, () => this.#look(one));
      }
      this.#tellHosts(roomId);
    });
  }

  /** Keeps a guest's page outside. A hello with media asks to be let in at once. */
  async hold(
    socket: WebSocket,
    admitted: Admitted,
    hello: Hello,
    address: string,
  ): Promise<Waiting> {
    const { secrets } = this.#services;
    const token = await mintMeetingToken(secrets, admitted.claims, resumeTokenSeconds);
    const waiting: Waiting = {
      socket,
      admitted,
      hello: { ...hello, token },
      address,
      since: null,
      told: '',
      lookedUpAt: 0,
      work: Promise.resolve(),
      isOver: false,
    };
    this.#waiting.add(waiting);
    await this.#queue(waiting, () =>
      hello.media ? this.#ask(waiting, hello.name) : this.#look(waiting),
    );
    return waiting;
  }

  /** What a page may say from outside; the rest goes nowhere. */
  async hear(waiting: Waiting, said: ToServer): Promise<void> {
    if (said.type === 'ping') {
      waiting.socket.send('{"type":"pong"}');
      if (Date.now() - waiting.lookedUpAt < lookUpSeconds * 1000) return;
      await this.#queue(waiting, () => this.#look(waiting));
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
      if (concerns(one.admitted.claims)) void this.#queue(one, () => this.#look(one));
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
    for (const { socket } of this.#waiting) socket.close(sayHelloAgain, 'server restarts');
    this.#waiting.clear();
    await Promise.all(this.#telling.values());
  }

  #release(waiting: Waiting): boolean {
    waiting.isOver = true;
    return this.#waiting.delete(waiting);
  }

  #queue(waiting: Waiting, step: () => Promise<void>): Promise<void> {
    waiting.work = waiting.work
      .then(() => (waiting.isOver ? undefined : step()))
      .catch((error) => this.#end(waiting, error));
    return waiting.work;
  }

  async #ask(waiting: Waiting, name: string | undefined): Promise<void> {
    const { tenant, claims } = waiting.admitted;
    // The lock, say, may have come while the person was in the preview.
    const { isHeld } = await this.#admission(waiting);
    const since = isHeld ? await askToComeIn(tenant, claims, guestName(name)) : null;
    if (since === null) return this.#look(waiting);
    waiting.since = since.toISOString();
    await this.#look(waiting);
    tellLobbyChange(this.#services.bus, { roomId: claims.roomId, switched: false });
  }

  /** Where this guest stands now, by what the database says. @throws NotAdmitted */
  async #look(waiting: Waiting): Promise<void> {
    const { tenant, claims } = waiting.admitted;
    const admitted = await this.#admission(waiting);
    waiting.lookedUpAt = Date.now();
    if (!admitted.isHeld) return this.#tell(waiting, { type: 'let-in' });
    const seen = waiting.since === null ? null : await seeWaiting(tenant, claims.participantId);
    if (seen?.tooLong) throw new NotAdmitted(closeCodes.waitedTooLong, 'waited too long');
    if (seen?.wasAway)
      tellLobbyChange(this.#services.bus, { roomId: claims.roomId, switched: false });
    const present = await this.#services.bus.presence.list(claims.roomId);
    this.#tell(waiting, {
      type: 'waiting',
      since: waiting.since,
      ...(admitted.waitingText === null ? {} : { text: admitted.waitingText }),
      hostIsHere: present.some(({ kind, inMeeting }) => kind === 'staff' && inMeeting),
      said: seen?.said ?? null,
      token: waiting.hello.token,
    });
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
    const before = this.#telling.get(roomId) ?? Promise.resolve();
    const telling = before
      .then(() => this.#listTo(roomId))
      .catch((error) => this.#services.log.error({ err: error }, 'a lobby could not be listed'))
      .finally(() => {
        if (this.#telling.get(roomId) === telling) this.#telling.delete(roomId);
      });
    this.#telling.set(roomId, telling);
  }

  async #listTo(roomId: RoomId): Promise<void> {
    const hosts = () =>
      this.#rooms
        .everybody()
        .filter(({ admitted }) => admitted.mayEdit && admitted.claims.roomId === roomId);
    const [host] = hosts();
    if (!host) return;
    const guests = await listWaiting(host.admitted.tenant, roomId);
    for (const { sessions } of hosts()) sessions.get('meeting')?.send({ type: 'lobby', guests });
  }

  #sendAwayFromPreview(roomId: RoomId): void {
    for (const person of this.#rooms.everybody()) {
      const { claims } = person.admitted;
      if (claims.roomId !== roomId || claims.kind !== 'guest') continue;
      if (!person.participant.inMeeting) this.#rooms.expel(person, sayHelloAgain, 'lobby');
    }
  }
}
