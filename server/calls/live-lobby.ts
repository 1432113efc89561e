import type { WebSocket } from 'ws';
import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import { listenToLobbies, tellLobbyChange } from '#server/rooms/lobby-events.ts';
import {
  type MeetingClaims,
  mintMeetingToken,
  resumeTokenSeconds,
} from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, admitParticipant, NotAdmitted } from './admit-participant.ts';
import { type Answer, answerOutside, waitingCaptures } from './answer-outside.ts';
import { guestName } from './guest-name.ts';
import { iceServers } from './ice-servers.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';
import { askToComeIn, leaveLobby, seeWaiting } from './lobby.ts';
import { LobbyList } from './lobby-list.ts';
import { LobbyTurns } from './lobby-turns.ts';
import type { Expected } from './local-room.ts';
import { listenToRoom, type RoomEvent } from './room-events.ts';
import { isCrowded, type Waiting } from './waiting-page.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/** A page that pings more often than this does not cause a query each time. */
const lookUpSeconds = 4;

/**
 * The lobbies of this process: guests who wait on it, and hosts who receive the lists of all
 * waiting guests.
 */
export class LiveLobby {
  readonly #services: Services;
  readonly #waiting = new Set<Waiting>();
  readonly #turns: LobbyTurns;
  readonly #list: LobbyList;
  readonly #stopListening: () => void;

  constructor(services: Services, rooms: LiveRooms) {
    this.#services = services;
    this.#turns = new LobbyTurns(services.config);
    this.#list = new LobbyList(rooms, services.log, this.#turns);
    this.#stopListening = listenToLobbies(services.bus, ({ roomId, guests }) => {
      for (const one of this.#waiting) {
        const { claims } = one.admitted;
        const isConcerned = guests === undefined || guests.includes(claims.participantId);
        if (claims.roomId === roomId && isConcerned)
          void this.#lookInTurn(one, guests !== undefined);
      }
      this.#list.send(roomId);
    });
  }

  /**
   * Keeps a guest's page outside the meeting. A hello with media asks for admission immediately.
   * @param expected what was received since before the admission was read
   * @throws NotAdmitted where too many of this link and address are in the preview
   */
  async hold(
    socket: WebSocket,
    admitted: Admitted,
    hello: Hello,
    address: string,
    expected: Expected,
  ): Promise<Waiting> {
    const { secrets } = this.#services;
    const token = await mintMeetingToken(secrets, admitted.claims, resumeTokenSeconds);
    // Synchronous with adding the guest, because many may arrive at the same moment.
    if (isCrowded(this.#waiting, admitted.claims, address)) {
      throw new NotAdmitted(closeCodes.crowded, 'too many of this address');
    }
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
      awaitsTurn: new Set(),
      stopListening: () => undefined,
      end: new AbortController(),
    };
    this.#followEnd(waiting, expected);
    this.#waiting.add(waiting);
    await this.#queue(waiting, () =>
      hello.media ? this.#ask(waiting, hello.name) : this.#show(waiting, admitted, null),
    );
    return waiting;
  }

  /** Handles the messages that a page may send from outside the meeting, and ignores others. */
  async hear(waiting: Waiting, said: ToServer): Promise<void> {
    if (said.type === 'ping') {
      waiting.socket.send('{"type":"pong"}');
      if (Date.now() - waiting.lookedUpAt < lookUpSeconds * 1000) return;
      // For a guest in the preview, an ended right is found by lookAgainAt, or when they join.
      await this.#queue(waiting, () =>
        waiting.since === null ? this.#show(waiting, waiting.admitted, null) : this.#look(waiting),
      );
    } else if (said.type === 'join' && waiting.since === null) {
      await this.#queue(waiting, () => this.#ask(waiting, said.name));
    } else if (said.type === 'consent') {
      await this.#queue(waiting, () => this.#keepAnswer(waiting, said));
    } else if (said.type === 'leave') {
      await this.gone(waiting);
      waiting.socket.close(1000, 'left');
    }
  }

  /** The page was closed or its socket lost. The place in the lobby is kept for a while. */
  async gone(waiting: Waiting): Promise<void> {
    if (!this.#release(waiting)) return;
    await waiting.work;
    if (waiting.since === null) return;
    const { tenant, claims } = waiting.admitted;
    try {
      const wasThere = await leaveLobby(tenant, claims.participantId);
      if (wasThere) this.#tellChange(claims);
    } catch (error) {
      this.#services.log.error({ err: error }, 'a guest’s leaving the lobby was not noted');
    }
  }

  /** The page sends hello again. Its previous entry ends, and the place in the lobby stays. */
  async replaced(waiting: Waiting): Promise<void> {
    this.#release(waiting);
    await waiting.work;
  }

  /** Checks these guests again after a revocation, and informs those who may no longer join. */
  lookAgainAt(concerns: (admitted: Admitted) => boolean): void {
    for (const one of this.#waiting) {
      if (concerns(one.admitted)) this.#lookSoon(one);
    }
  }

  /** Sends the list of waiting guests to a host who has just joined. */
  greet(person: Person): void {
    const { hasLobby, mayEdit, claims } = person.admitted;
    if (hasLobby && mayEdit) this.#list.send(claims.roomId);
  }

  async close(): Promise<void> {
    this.#stopListening();
    await Promise.all([...this.#waiting].map(({ work }) => work));
    for (const { socket, stopListening } of this.#waiting) {
      stopListening();
      socket.close(sayHelloAgain, 'server restarts');
    }
    this.#waiting.clear();
    await this.#list.close();
  }

  /**
   * Ends the preview with the call, because a guest in a hosted preview could otherwise enter a
   * call that is over.
   */
  #followEnd(waiting: Waiting, { ends }: Expected): void {
    const { bus, video } = this.#services;
    if (!video.page) return;
    const { roomId } = waiting.admitted.claims;
    const hear = ({ message }: RoomEvent) => {
      if (message?.type === 'call-ended') waiting.socket.close(closeCodes.callEnded, 'call ended');
    };
    waiting.stopListening = listenToRoom(bus, roomId, hear).stop;
    for (const event of ends) hear(event);
  }

  #release(waiting: Waiting): boolean {
    waiting.end.abort('released');
    waiting.stopListening();
    return this.#waiting.delete(waiting);
  }

  #queue(waiting: Waiting, step: () => Promise<void>): Promise<void> {
    waiting.work = waiting.work
      .then(() => (waiting.end.signal.aborted ? undefined : step()))
      .catch((error) => this.#end(waiting, error));
    return waiting.work;
  }

  /** Changes before the turn of a guest share one query. What a revocation asks for waits for no turn. */
  async #lookInTurn(waiting: Waiting, isNamed: boolean): Promise<void> {
    const { awaitsTurn, admitted, end } = waiting;
    const turn = isNamed ? 'named' : 'all';
    if (waiting.willLook || awaitsTurn.has(turn)) return;
    awaitsTurn.add(turn);
    const isNext = await this.#turns.lookUp(admitted.claims, isNamed, end.signal);
    awaitsTurn.delete(turn);
    if (isNext) this.#lookSoon(waiting);
  }

  /** Changes before the query begins share one query. */
  #lookSoon(waiting: Waiting): void {
    if (waiting.willLook) return;
    waiting.willLook = true;
    void this.#queue(waiting, () => {
      waiting.willLook = false;
      return this.#look(waiting);
    });
  }

  async #ask(waiting: Waiting, said: string | undefined): Promise<void> {
    const { tenant, claims } = waiting.admitted;
    const given = claims.kind === 'guest' ? claims.name : undefined;
    const name = given ?? guestName(said);
    // The call may have been locked, for example, while the guest was in the preview.
    const admitted = await this.#admission(waiting);
    if (!admitted.isHeld) return this.#tell(waiting, { type: 'let-in' });
    const since = await askToComeIn(tenant, claims, name, waiting.address);
    if (since === null) return this.#look(waiting);
    waiting.since = since.toISOString();
    await this.#see(waiting, admitted);
    this.#tellChange(claims);
  }

  /**
   * Reads this guest's current state from the database.
   * @throws NotAdmitted
   */
  async #look(waiting: Waiting): Promise<void> {
    await this.#see(waiting, await this.#admission(waiting));
  }

  /** Sends the page what its admission and its wait are. */
  async #see(waiting: Waiting, admitted: Admitted): Promise<void> {
    const { tenant, claims } = admitted;
    if (waiting.since === null) return this.#show(waiting, admitted, null);
    if (!admitted.isHeld) return this.#tell(waiting, { type: 'let-in' });
    const seen = await seeWaiting(tenant, claims.participantId);
    if (seen?.tooLong) throw new NotAdmitted(closeCodes.waitedTooLong, 'waited too long');
    if (seen?.wasAway) this.#tellChange(claims);
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
      ...waitingCaptures(admitted.captures),
      hostIsHere: present.some(({ kind, inMeeting }) => kind === 'staff' && inMeeting),
      said,
      token: waiting.hello.token,
    });
  }

  async #keepAnswer(waiting: Waiting, answer: Answer): Promise<void> {
    waiting.admitted.captures.consent = await answerOutside(waiting.admitted, answer);
    await this.#look(waiting);
  }

  /** Nobody but the hosts is told. */
  #tellChange({ orgId, roomId }: MeetingClaims): void {
    tellLobbyChange(this.#services.bus, { orgId, roomId, guests: [] });
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
}
