import type { WebSocket } from 'ws';
import {
  absenceGraceSeconds,
  closeCodes,
  type Participant,
  protocolVersion,
  type ToServer,
  type Welcome,
} from '#domain/calls/live.ts';
import type { ParticipantId, RoomId } from '#domain/ids.ts';
import type { MediaRoom } from '#server/providers/video/media-server.ts';
import { mintMeetingToken, resumeTokenSeconds } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import { beginAttendance, endAttendance } from './attendance-store.ts';
import { iceServers } from './ice-servers.ts';
import { greetPanel } from './live-edits.ts';
import { LiveMedia } from './live-media.ts';
import { isConnected, isFull, newPerson, type Person, reaches } from './live-person.ts';
import { LiveSession } from './live-session.ts';
import {
  type Channel,
  listenToRoom,
  type Outgoing,
  type RoomEvent,
  tellRoom,
} from './room-events.ts';
import { findRunningCall } from './start-call.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

interface LocalRoom {
  people: Map<string, Person>;
  call: Admitted['call'];
  /** Starts and ends heard since we listen. */
  callEvents: number;
  /** Whether what was before we listened is known, too. */
  callIsKnown: boolean;
  /** The newest that was heard of. */
  mediaRoom: MediaRoom | null;
  stopListening: () => void;
}

/** The rooms that have people on this process, and who they are. */
export class LiveRooms {
  readonly #services: Services;
  readonly #media: LiveMedia;
  readonly #rooms = new Map<RoomId, LocalRoom>();

  constructor(services: Services) {
    this.#services = services;
    this.#media = new LiveMedia(services);
  }

  /**
   * Lets somebody in, or back in: as the session that was, when the hello names it and nothing was
   * missed; else as a new one in its place. The session collects what is said from the first moment,
   * so that nothing falls between the roster that it is greeted with and the first message.
   * @throws NotAdmitted when the mesh is full, or the place was taken by a later hello meanwhile
   */
  async enter(admitted: Admitted, hello: Hello, socket: WebSocket): Promise<Person> {
    const { channel, resume } = hello;
    const room = this.#roomOf(admitted);
    const person = room.people.get(admitted.claims.participantId) ?? newPerson(admitted);
    const before = person.sessions.get(channel);
    const resumed =
      before !== undefined && resume?.session === before.id && before.canResume(resume.sequence);
    const after = resumed ? resume.sequence : 0;
    const session = resumed ? before : new LiveSession(channel);
    clearTimeout(person.absences.get(channel));
    person.admitted = admitted;
    person.sessions.set(channel, session);
    room.people.set(person.participant.id, person);
    learn(room, admitted.mediaRoom);
    try {
      const others = await this.#takePlace(person, room, channel, hello.media);
      await this.#knowCall(room, admitted);
      const welcome = await this.#welcome(person, session, resumed, after, others, room.mediaRoom);
      this.#stillExpected(room, person, session);
      if (!resumed) before?.close(closeCodes.replaced, 'replaced');
      session.attach(socket, { ...welcome, call: room.call }, after);
      if (!resumed) await this.#givePass(person, room, session);
    } catch (error) {
      this.#turnAway(person, session, before);
      throw error;
    }
    this.#announce(person, channel, before !== undefined && !resumed);
    this.#attend(person, room);
    return person;
  }

  /** Shows a panel what is stored of the running call. */
  async greet(person: Person, channel: Channel): Promise<void> {
    const session = person.sessions.get(channel);
    const call = this.callOf(person);
    if (channel === 'panel' && session && call) {
      await greetPanel(this.#services, person, session, call);
    }
  }

  /** From the preview into the meeting. A full mesh ends the page's session instead. */
  async join(person: Person, name: string, media: Participant['media']): Promise<void> {
    const { participant, admitted } = person;
    const isGuest = admitted.claims.kind === 'guest';
    // The lock may have come while the person was in the preview.
    if (isGuest && !admitted.isKnown && this.callOf(person)?.locked) {
      this.expel(person, closeCodes.locked, 'call locked');
      return;
    }
    if (isGuest) admitted.name = name;
    Object.assign(participant, { name: admitted.name, media, inMeeting: true });
    const others = await this.#services.bus.presence.put(admitted.claims.roomId, participant);
    const room = this.#rooms.get(admitted.claims.roomId);
    if (!room || !(await this.#hasWay(person, room, others))) {
      participant.inMeeting = false;
      person.sessions.get('meeting')?.close(closeCodes.roomFull, 'room full');
      return this.leave(person, 'meeting');
    }
    this.#change(person, {});
    // The page learns under which name the server has put it into the roster.
    const message = { type: 'changed' as const, participant: { ...participant } };
    const session = person.sessions.get('meeting');
    session?.send(message);
    if (session) await this.#givePass(person, room, session);
    this.#attend(person, room);
  }

  /** The person's media are gone, though the line to us is there. */
  async mediaLost(person: Person, named: string): Promise<void> {
    if (!person.participant.inMeeting || !this.#media.hasServer) return;
    const pass = await this.#media.lost(person, named);
    if (pass) person.sessions.get('meeting')?.send(pass);
  }

  /** The connection of one of a person's pages is gone; it may come back for a while. */
  detach(person: Person, channel: Channel, socket: WebSocket): void {
    const session = person.sessions.get(channel);
    if (!session?.detach(socket)) return;
    const lost = channel === 'meeting' || !person.sessions.has('meeting');
    if (lost) this.#change(person, { connected: false });
    this.#awaitReturn(person, channel);
  }

  /** One of a person's pages is closed for good; with the last, the person has left. */
  leave(person: Person, channel: Channel): void {
    clearTimeout(person.absences.get(channel));
    person.sessions.delete(channel);
    if (channel === 'meeting') this.#leaveMedia(person);
    if (person.sessions.size > 0) {
      if (channel === 'meeting') this.#change(person, { inMeeting: false, connected: true });
      return;
    }
    this.#remove(person);
    this.#endAttendance(person);
  }

  change(person: Person, change: Partial<Participant>): void {
    this.#change(person, change);
  }

  callOf(person: Person): Admitted['call'] {
    return this.#rooms.get(person.admitted.claims.roomId)?.call ?? null;
  }

  /** Everybody in any room of this process. */
  everybody(): Person[] {
    return [...this.#rooms.values()].flatMap(({ people }) => [...people.values()]);
  }

  /** Sends somebody out of the room for good; the page is told why by the close code. */
  expel(person: Person, code: number, reason: string): void {
    for (const session of person.sessions.values()) session.close(code, reason);
    for (const channel of [...person.sessions.keys()]) this.leave(person, channel);
    if (code === closeCodes.removed) this.#media.removed(person);
  }

  /** Everybody who has a connection on this process; tells the other processes of them again. */
  async stillPresent(): Promise<ParticipantId[]> {
    const ids: ParticipantId[] = [];
    for (const [roomId, room] of this.#rooms) {
      for (const person of room.people.values()) {
        if (!isConnected(person)) continue;
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

  #roomOf({ claims }: Admitted): LocalRoom {
    const found = this.#rooms.get(claims.roomId);
    if (found) return found;
    const { bus } = this.#services;
    const room: LocalRoom = {
      people: new Map(),
      call: null,
      callEvents: 0,
      callIsKnown: false,
      mediaRoom: null,
      stopListening: listenToRoom(bus, claims.roomId, (event) => this.#deliver(room, event)),
    };
    this.#rooms.set(claims.roomId, room);
    return room;
  }

  /** @throws NotAdmitted when the person enters a mesh that is full */
  async #takePlace(
    person: Person,
    room: LocalRoom,
    channel: Channel,
    media: Participant['media'] | undefined,
  ): Promise<Participant[]> {
    const { participant, admitted } = person;
    const entering = channel === 'meeting' && media !== undefined && !participant.inMeeting;
    if (channel === 'meeting' && media) participant.media = media;
    if (entering) participant.inMeeting = true;
    participant.connected = true;
    participant.name = admitted.name;
    const others = await this.#services.bus.presence.put(admitted.claims.roomId, participant);
    if (!entering || (await this.#hasWay(person, room, others))) return others;
    participant.inMeeting = false;
    throw new NotAdmitted(closeCodes.roomFull, 'room full');
  }

  /** A call that outgrows the mesh moves to the media server, where there is one. */
  async #hasWay(person: Person, room: LocalRoom, others: Participant[]): Promise<boolean> {
    // How many a company's page takes is the company's to say.
    if (room.mediaRoom || this.#services.video.page) return true;
    const full = isFull(others, this.#services.config.MESH_LIMIT);
    if (!this.#media.hasServer || !(full || this.#media.isEngine)) return !full;
    learn(room, await this.#media.open(person));
    return true;
  }

  async #givePass(person: Person, room: LocalRoom, session: LiveSession): Promise<void> {
    if (session.channel !== 'meeting' || !person.participant.inMeeting || !room.mediaRoom) return;
    session.send(await this.#media.pass(room.mediaRoom, person));
  }

  #leaveMedia(person: Person): void {
    const room = this.#rooms.get(person.admitted.claims.roomId);
    if (person.participant.inMeeting) this.#media.left(room?.mediaRoom ?? null, person);
  }

  /** The call has moved to the media server, or to another room of it, or nobody is left there. */
  #follow(room: LocalRoom, event: RoomEvent): void {
    if (event.mediaRoom === null) room.mediaRoom = null;
    else learn(room, event.mediaRoom ?? null);
    for (const person of room.people.values()) {
      const session = person.sessions.get('meeting');
      if (!session || !reaches(event, person)) continue;
      this.#givePass(person, room, session).catch((error) => this.#failed(error));
    }
  }

  /**
   * Which call runs: what we have heard since we listen, and before that what the database says. The
   * admission was read a moment ago, and a call may have begun or ended since.
   */
  async #knowCall(room: LocalRoom, { tenant, claims, call }: Admitted): Promise<void> {
    if (room.callIsKnown && room.call?.id === call?.id) return;
    let heard: number;
    do {
      heard = room.callEvents;
      const running = await findRunningCall(tenant, claims.roomId);
      if (heard === room.callEvents) room.call = running;
    } while (heard !== room.callEvents);
    room.callIsKnown = true;
  }

  #stillExpected(room: LocalRoom, person: Person, session: LiveSession): void {
    if (person.sessions.get(session.channel) !== session) {
      throw new NotAdmitted(closeCodes.replaced, 'replaced');
    }
    if (room.people.get(person.participant.id) !== person) {
      throw new NotAdmitted(closeCodes.callEnded, 'call ended');
    }
  }

  /** Undoes an entry that came to nothing; a session from before waits on for its page. */
  #turnAway(person: Person, session: LiveSession, before: LiveSession | undefined): void {
    const { channel } = session;
    if (person.sessions.get(channel) !== session) return;
    if (before) person.sessions.set(channel, before);
    else person.sessions.delete(channel);
    if (before && !before.socket) this.#awaitReturn(person, channel);
    if (person.sessions.size > 0) this.#change(person, {});
    else this.#remove(person);
  }

  #awaitReturn(person: Person, channel: Channel): void {
    const timer = setTimeout(() => this.leave(person, channel), absenceGraceSeconds * 1000);
    person.absences.set(channel, timer.unref());
  }

  #deliver(room: LocalRoom, event: RoomEvent): void {
    const { message, close } = event;
    if (message?.type === 'call-started') room.call = { ...message.call } as Admitted['call'];
    if (message?.type === 'call-changed') room.call = { ...message.call } as Admitted['call'];
    if (message?.type === 'call-ended') {
      room.call = null;
      this.#media.ended(room.mediaRoom);
      room.mediaRoom = null;
    }
    if (event.mediaRoom !== undefined) this.#follow(room, event);
    if (message?.type === 'call-started' || message?.type === 'call-ended') room.callEvents += 1;
    for (const person of [...room.people.values()]) {
      if (event.mediaRoom !== undefined || !reaches(event, person)) continue;
      if (message?.type === 'muted') this.#media.mute(room.mediaRoom, person);
      for (const session of person.sessions.values()) {
        if (event.channel && session.channel !== event.channel) continue;
        if (message) session.send(message);
        if (close) session.close(close.code, close.reason);
      }
      if (close) {
        this.#leaveMedia(person);
        this.#remove(person);
      }
      if (close?.code === closeCodes.removed) {
        this.#endAttendance(person);
        this.#media.removed(person);
      } else if (message?.type === 'call-started') {
        this.#attend(person, room);
        this.greet(person, 'panel').catch((error) => this.#failed(error));
      }
    }
  }

  #announce(person: Person, channel: Channel, isNewSession: boolean): void {
    const { roomId } = person.admitted.claims;
    const { participant } = person;
    const tell = (message: Outgoing) =>
      tellRoom(this.#services.bus, roomId, { except: participant.id, message });
    tell({ type: person.announced ? 'changed' : 'joined', participant: { ...participant } });
    person.announced = true;
    if (isNewSession && channel === 'meeting') {
      tell({ type: 'restarted', participantId: participant.id });
    }
  }

  #change(person: Person, change: Partial<Participant>): void {
    Object.assign(person.participant, change);
    const { roomId } = person.admitted.claims;
    const participant = { ...person.participant };
    this.#services.bus.presence.put(roomId, participant).catch((error) => this.#failed(error));
    if (!person.announced) return;
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
    if (!person.announced) return;
    tellRoom(this.#services.bus, roomId, { message: { type: 'left', participantId: id } });
  }

  /** Staff attend from the moment they open the call; guests once they are out of the preview. */
  #attend(person: Person, room: LocalRoom): void {
    const { claims, name, tenant } = person.admitted;
    if (!room.call || (claims.kind === 'guest' && !person.participant.inMeeting)) return;
    const browserId = claims.kind === 'guest' ? claims.browserId : undefined;
    const who = { id: claims.participantId, kind: claims.kind, name, browserId };
    const begun = beginAttendance(tenant, room.call.id, who);
    person.attending = begun.catch((error) => this.#failed(error));
  }

  #endAttendance({ admitted, attending }: Person): void {
    attending
      .then(() => endAttendance(admitted.tenant, admitted.claims.participantId))
      .catch((error) => this.#failed(error));
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
    mediaRoom: MediaRoom | null,
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
      participants: [...others, { ...person.participant }],
      room,
      organization,
      call,
      iceServers: iceServers(this.#services.config, person.participant.id),
      ...((mediaRoom || this.#media.isEngine) && { byServer: true }),
      token: await mintMeetingToken(this.#services.secrets, returning, resumeTokenSeconds),
    };
  }
}

/** Ids sort by time: what was read before a move does not undo it. */
function learn(room: LocalRoom, mediaRoom: MediaRoom | null): void {
  if (mediaRoom && mediaRoom.id > (room.mediaRoom?.id ?? '')) room.mediaRoom = mediaRoom;
}
