import type { WebSocket } from 'ws';
import {
  absenceGraceSeconds,
  closeCodes,
  meshLimit,
  type Participant,
  protocolVersion,
  type ToServer,
  type Welcome,
} from '#domain/calls/live.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import { mintMeetingToken, resumeTokenSeconds } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import { beginAttendance, endAttendance } from './attendance-store.ts';
import { iceServers } from './ice-servers.ts';
import { LiveSession } from './live-session.ts';
import {
  type Channel,
  listenToRoom,
  type Outgoing,
  type RoomEvent,
  tellRoom,
} from './room-events.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/** Somebody in a room, on this process: at most one meeting page and one panel. */
export interface Person {
  admitted: Admitted;
  participant: Participant;
  sessions: Map<Channel, LiveSession>;
  absences: Map<Channel, NodeJS.Timeout>;
}

interface LocalRoom {
  people: Map<string, Person>;
  call: Admitted['call'];
  stopListening: () => void;
}

/** The rooms that have people on this process, and who they are. */
export class LiveRooms {
  readonly #services: Services;
  readonly #rooms = new Map<RoomId, LocalRoom>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Lets somebody in, or back in: as the session that was, when the hello names it and nothing was
   * missed; else as a new one in its place.
   * @throws NotAdmitted when the mesh is full
   */
  async enter(admitted: Admitted, hello: Hello, socket: WebSocket): Promise<Person> {
    const { channel } = hello;
    const room = this.#roomOf(admitted);
    const known = room.people.get(admitted.claims.participantId);
    const before = known?.sessions.get(channel);
    const person = known ?? newPerson(admitted);
    const { participant } = person;
    person.admitted = admitted;
    participant.connected = true;
    participant.name = admitted.name;
    const entering = channel === 'meeting' && hello.media !== undefined && !participant.inMeeting;
    if (channel === 'meeting' && hello.media) participant.media = hello.media;
    if (entering) participant.inMeeting = true;
    const others = await this.#services.bus.presence.put(admitted.claims.roomId, participant);
    if (entering && isFull(others)) {
      await this.#giveUpPlace(person, known !== undefined);
      throw new NotAdmitted(closeCodes.roomFull, 'room full');
    }
    room.people.set(participant.id, person);
    clearTimeout(person.absences.get(channel));

    const resume = hello.resume;
    const resumed =
      before !== undefined && resume?.session === before.id && before.canResume(resume.sequence);
    const session = resumed ? before : new LiveSession(channel);
    if (!resumed) before?.close(closeCodes.replaced, 'replaced');
    const welcome = await this.#welcome(person, session, resumed, resume?.sequence ?? 0, others);
    person.sessions.set(channel, session);
    session.attach(socket, welcome, resumed ? (resume?.sequence ?? 0) : 0);
    this.#announce(person, channel, known !== undefined, before !== undefined && !resumed);
    this.#attend(person, room);
    return person;
  }

  /** From the preview into the meeting. A full mesh ends the page's session instead. */
  async join(person: Person, name: string, media: Participant['media']): Promise<void> {
    const { participant, admitted } = person;
    if (admitted.claims.kind === 'guest') admitted.name = name;
    Object.assign(participant, { name: admitted.name, media, inMeeting: true });
    const others = await this.#services.bus.presence.put(admitted.claims.roomId, participant);
    if (isFull(others)) {
      await this.#giveUpPlace(person, true);
      person.sessions.get('meeting')?.close(closeCodes.roomFull, 'room full');
      return this.leave(person, 'meeting');
    }
    this.#change(person, {});
    const room = this.#rooms.get(admitted.claims.roomId);
    if (room) this.#attend(person, room);
  }

  /** The connection of one of a person's pages is gone; it may come back for a while. */
  detach(person: Person, channel: Channel, socket: WebSocket): void {
    const session = person.sessions.get(channel);
    if (!session?.detach(socket)) return;
    const lost = channel === 'meeting' || !person.sessions.has('meeting');
    if (lost) this.#change(person, { connected: false });
    const timer = setTimeout(() => this.leave(person, channel), absenceGraceSeconds * 1000);
    person.absences.set(channel, timer.unref());
  }

  /** One of a person's pages is closed for good; with the last, the person has left. */
  leave(person: Person, channel: Channel): void {
    clearTimeout(person.absences.get(channel));
    person.sessions.delete(channel);
    if (person.sessions.size > 0) {
      if (channel === 'meeting') this.#change(person, { inMeeting: false, connected: true });
      return;
    }
    this.#remove(person);
    endAttendance(person.admitted.tenant, person.admitted.claims.participantId).catch((error) =>
      this.#services.log.error({ err: error }, 'an attendance could not be ended'),
    );
  }

  change(person: Person, change: Partial<Participant>): void {
    this.#change(person, change);
  }

  callOf(person: Person): Admitted['call'] {
    return this.#rooms.get(person.admitted.claims.roomId)?.call ?? null;
  }

  /** Everybody who has a connection on this process; tells the other processes of them again. */
  async stillPresent(): Promise<ParticipantId[]> {
    const ids: ParticipantId[] = [];
    for (const [roomId, room] of this.#rooms) {
      for (const person of room.people.values()) {
        const connected = [...person.sessions.values()].some((session) => session.socket);
        if (!connected) continue;
        ids.push(person.admitted.claims.participantId);
        await this.#services.bus.presence.put(roomId, person.participant);
      }
    }
    return ids;
  }

  /** Lets go of everything; browsers come back to the next process with what they hold. */
  close(): void {
    for (const room of this.#rooms.values()) {
      room.stopListening();
      for (const person of room.people.values()) {
        for (const timer of person.absences.values()) clearTimeout(timer);
        for (const session of person.sessions.values()) session.close(1012, 'server restarts');
      }
    }
    this.#rooms.clear();
  }

  #roomOf({ claims, call }: Admitted): LocalRoom {
    const found = this.#rooms.get(claims.roomId);
    if (found) {
      found.call = call;
      return found;
    }
    const { bus } = this.#services;
    const room: LocalRoom = {
      people: new Map(),
      call,
      stopListening: listenToRoom(bus, claims.roomId, (event) => this.#deliver(room, event)),
    };
    this.#rooms.set(claims.roomId, room);
    return room;
  }

  #deliver(room: LocalRoom, event: RoomEvent): void {
    const { message, close } = event;
    if (message?.type === 'call-started') room.call = { ...message.call } as Admitted['call'];
    if (message?.type === 'call-ended') room.call = null;
    for (const person of [...room.people.values()]) {
      if (!reaches(event, person)) continue;
      for (const session of person.sessions.values()) {
        if (event.channel && session.channel !== event.channel) continue;
        if (message) session.send(message);
        if (close) session.close(close.code, close.reason);
      }
      if (close) this.#remove(person);
      else if (message?.type === 'call-started') this.#attend(person, room);
    }
  }

  #announce(person: Person, channel: Channel, wasKnown: boolean, isNewSession: boolean): void {
    const { roomId } = person.admitted.claims;
    const { participant } = person;
    const tell = (message: Outgoing) =>
      tellRoom(this.#services.bus, roomId, { except: participant.id, message });
    tell({ type: wasKnown ? 'changed' : 'joined', participant: { ...participant } });
    if (isNewSession && channel === 'meeting') {
      tell({ type: 'restarted', participantId: participant.id });
    }
  }

  #change(person: Person, change: Partial<Participant>): void {
    Object.assign(person.participant, change);
    const { roomId } = person.admitted.claims;
    const participant = { ...person.participant };
    this.#services.bus.presence.put(roomId, participant).catch((error) => this.#failed(error));
    tellRoom(this.#services.bus, roomId, {
      except: participant.id,
      message: { type: 'changed', participant },
    });
  }

  #remove(person: Person): void {
    const { roomId } = person.admitted.claims;
    const { id } = person.participant;
    const room = this.#rooms.get(roomId);
    if (room?.people.get(id) !== person) return;
    for (const timer of person.absences.values()) clearTimeout(timer);
    room.people.delete(id);
    if (room.people.size === 0) {
      room.stopListening();
      this.#rooms.delete(roomId);
    }
    this.#services.bus.presence.remove(roomId, id).catch((error) => this.#failed(error));
    tellRoom(this.#services.bus, roomId, { message: { type: 'left', participantId: id } });
  }

  async #giveUpPlace(person: Person, wasKnown: boolean): Promise<void> {
    const { roomId } = person.admitted.claims;
    person.participant.inMeeting = false;
    if (wasKnown) await this.#services.bus.presence.put(roomId, person.participant);
    else await this.#services.bus.presence.remove(roomId, person.participant.id);
    const room = this.#rooms.get(roomId);
    if (room?.people.size === 0) {
      room.stopListening();
      this.#rooms.delete(roomId);
    }
  }

  /** Staff attend from the moment they open the call; guests once they are out of the preview. */
  #attend(person: Person, room: LocalRoom): void {
    const { claims, name, tenant } = person.admitted;
    if (!room.call || (claims.kind === 'guest' && !person.participant.inMeeting)) return;
    const who = { id: claims.participantId, kind: claims.kind, name };
    beginAttendance(tenant, room.call.id, who).catch((error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'a room could not be kept up to date');
  }

  async #welcome(
    person: Person,
    session: LiveSession,
    resumed: boolean,
    after: number,
    others: Participant[],
  ): Promise<Welcome> {
    const { claims, room, organization, mayEdit, call } = person.admitted;
    const returning = claims.kind === 'guest' ? { ...claims, admitted: true } : claims;
    return {
      type: 'welcome',
      protocol: protocolVersion,
      session: session.id,
      sequence: resumed ? after : 0,
      resumed,
      self: person.participant.id,
      mayEdit,
      participants: others,
      room,
      organization,
      call,
      iceServers: iceServers(this.#services.config, person.participant.id),
      token: await mintMeetingToken(this.#services.secrets, returning, resumeTokenSeconds),
    };
  }
}

function newPerson(admitted: Admitted): Person {
  return {
    admitted,
    participant: {
      id: admitted.claims.participantId,
      kind: admitted.claims.kind,
      name: admitted.name,
      avatar: admitted.avatar,
      media: { audio: false, video: false },
      inMeeting: false,
      connected: true,
    },
    sessions: new Map(),
    absences: new Map(),
  };
}

const isFull = (others: Participant[]) => others.filter((o) => o.inMeeting).length >= meshLimit;

function reaches(event: RoomEvent, person: Person): boolean {
  const { claims } = person.admitted;
  if (event.to !== undefined && event.to !== claims.participantId) return false;
  if (event.except === claims.participantId) return false;
  if (event.account === undefined) return true;
  return claims.kind === 'staff' && claims.accountId === event.account;
}
